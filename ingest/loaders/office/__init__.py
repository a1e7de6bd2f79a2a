"""Office documents: Office Open XML, OpenDocument and RTF.

`archive` opens their zip files without trusting them; each format has a module.
"""
