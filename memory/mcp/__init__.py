"""The face for agents: the Model Context Protocol over stdio, and over HTTP inside the server.

Its tools call what the routes and commands call, and decide nothing but who may do what. The SDK is
imported where it is used: it takes most of a second.
"""
