"""Office documents: Office Open XML, OpenDocument and RTF.

`archive` opens their zip files safely; each format has a module.
"""
