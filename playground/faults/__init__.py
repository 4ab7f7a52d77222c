"""The hostile side of the playground: faults that a test or a script asks for. docs/playground.md describes them.

`book` holds the faults that stand, `form` reads a request, `rest` and `gateway` say what each fault does to a request
or to a connection, `world` what happens to people, channels and the server, `desk` is the one door to all of them.
"""
