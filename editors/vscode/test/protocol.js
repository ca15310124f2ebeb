// The protocol library that the extension brings along; where it is not installed, what the test needs of it, so that the
// test runs without the registry.
"use strict";

class Reader {
  constructor(stream) {
    this.stream = stream;
    this.rest = Buffer.alloc(0);
  }

  listen(take) {
    this.stream.on("data", (more) => {
      this.rest = Buffer.concat([this.rest, more]);
      for (let message = this.next(); message !== undefined; message = this.next()) {
        take(message);
      }
    });
  }

  /** The next message, if all of it has come. */
  next() {
    const end = this.rest.indexOf("\r\n\r\n");
    const length = Number(/Content-Length: (\d+)/i.exec(this.rest.toString("ascii", 0, Math.max(end, 0)))?.[1]);
    if (end < 0 || this.rest.length < end + 4 + length) {
      return undefined;
    }
    const body = this.rest.toString("utf8", end + 4, end + 4 + length);
    this.rest = this.rest.subarray(end + 4 + length);
    return JSON.parse(body);
  }
}

class Writer {
  constructor(stream) {
    this.stream = stream;
  }

  write(message) {
    const body = JSON.stringify({ jsonrpc: "2.0", ...message });
    this.stream.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  }
}

const named = (what) => what.method ?? what;

function createProtocolConnection(reader, writer) {
  const asked = new Map();
  const listeners = new Map();
  const take = ({ id, method, params, result, error }) => {
    if (method !== undefined) {
      listeners.get(method)?.(params);
      return;
    }
    const { resolve, reject } = asked.get(id);
    asked.delete(id);
    if (error === undefined) {
      resolve(result);
    } else {
      reject(new Error(error.message));
    }
  };
  let last = 0;
  return {
    listen: () => reader.listen(take),
    onNotification: (what, listener) => listeners.set(named(what), listener),
    sendNotification: async (what, params) => writer.write({ method: named(what), params }),
    sendRequest: (what, params) =>
      new Promise((resolve, reject) => {
        last += 1;
        asked.set(last, { resolve, reject });
        writer.write({ id: last, method: named(what), params });
      }),
  };
}

function library() {
  try {
    return require("vscode-languageserver-protocol/node");
  } catch (why) {
    if (why.code !== "MODULE_NOT_FOUND") {
      throw why;
    }
    return undefined;
  }
}

const type = (method) => ({ type: { method } });

module.exports = library() ?? {
  StreamMessageReader: Reader,
  StreamMessageWriter: Writer,
  createProtocolConnection,
  CodeLensRequest: type("textDocument/codeLens"),
  ExecuteCommandRequest: type("workspace/executeCommand"),
  ExitNotification: type("exit"),
  InitializeRequest: type("initialize"),
  InitializedNotification: type("initialized"),
  PublishDiagnosticsNotification: type("textDocument/publishDiagnostics"),
  ShutdownRequest: type("shutdown"),
};
