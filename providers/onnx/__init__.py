"""Any sentence-embedding model that is an ONNX graph, and the one that comes with the program."""
