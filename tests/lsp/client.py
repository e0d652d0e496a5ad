"""A language client of a few lines: JSON-RPC over the pipes of `headrace lsp`."""

import json
import subprocess
import sys
import threading
from queue import Empty, Queue


class Client:
    """One session with a server process."""

    def __init__(self):
        self.process = subprocess.Popen(
            [sys.executable, "-m", "headrace.cli.main", "lsp"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self.incoming = Queue()
        self.waiting = []
        self.next_id = 0
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        stream = self.process.stdout
        while True:
            length = 0
            while line := stream.readline().strip():
                name, _, value = line.partition(b":")
                if name.lower() == b"content-length":
                    length = int(value)
            if not length:
                self.incoming.put(None)
                return
            self.incoming.put(json.loads(stream.read(length)))

    def _send(self, **message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def notify(self, method, **params):
        self._send(method=method, params=params)

    def request(self, method, **params):
        """The result of a request; an error response fails."""
        self.next_id += 1
        self._send(id=self.next_id, method=method, **({"params": params} if params else {}))
        answer = self._await(lambda message: message.get("id") == self.next_id and "method" not in message)
        assert "error" not in answer, answer
        return answer["result"]

    def diagnostics(self, uri, version=None):
        """The next published diagnostics of a text (of a version)."""

        def wanted(message):
            params = message.get("params") or {}
            return (
                message.get("method") == "textDocument/publishDiagnostics"
                and params["uri"] == uri
                and (version is None or params.get("version") == version)
            )

        return self._await(wanted)["params"]["diagnostics"]

    def _await(self, wanted):
        for message in self.waiting:
            if wanted(message):
                self.waiting.remove(message)
                return message
        while True:
            try:
                message = self.incoming.get(timeout=60)
            except Empty:
                raise AssertionError("no answer from the server") from None
            assert message is not None, self.process.stderr.read().decode()
            if wanted(message):
                return message
            self.waiting.append(message)

    def start(self, **capabilities):
        """The handshake; returns the server's capabilities."""
        result = self.request("initialize", processId=None, rootUri=None, capabilities=capabilities)
        self.notify("initialized")
        return result["capabilities"]

    def open(self, uri, text):
        self.notify("textDocument/didOpen", textDocument=dict(uri=uri, languageId="mlir", version=1, text=text))

    def change(self, uri, version, *changes):
        self.notify("textDocument/didChange", textDocument=dict(uri=uri, version=version), contentChanges=list(changes))

    def at(self, method, uri, line, character):
        return self.request(
            f"textDocument/{method}", textDocument=dict(uri=uri), position=dict(line=line, character=character)
        )

    def stop(self):
        """Shutdown and exit; returns the exit status."""
        self.request("shutdown")
        self.notify("exit")
        return self.process.wait(timeout=30)

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            stream.close()
