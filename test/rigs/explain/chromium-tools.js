// Functions for the page of the DevTools, whose modules are the program that people use. The text of this file runs there.
globalThis.recording = {
  /** Answers true once the DevTools watch the network of the page. */
  async watching() {
    const { TargetManager, NetworkManager } = await import('/devtools/core/sdk/sdk.js')
    const { NetworkLog } = await import('/devtools/models/logs/logs.js')
    NetworkLog.NetworkLog.instance()
    return TargetManager.TargetManager.instance().models(NetworkManager.NetworkManager).length > 0
  },

  async clear() {
    const { NetworkLog } = await import('/devtools/models/logs/logs.js')
    NetworkLog.NetworkLog.instance().reset(true)
  },

  /** Returns what “Export HAR” saves: sanitized, or with sensitive data. */
  async save(sanitize) {
    const { Writer } = await import('/devtools/models/har/har.js')
    const { NetworkLog } = await import('/devtools/models/logs/logs.js')
    const { Progress } = await import('/devtools/core/common/common.js')
    let text = ''
    const stream = {
      async write(piece) {
        text += piece
      },
    }
    // The page may be done before the DevTools have its last answer.
    const log = NetworkLog.NetworkLog.instance()
    for (let i = 0; i < 40 && log.requests().some(each => !each.finished); i++)
      await new Promise(resolve => setTimeout(resolve, 50))
    const requests = log.requests()
    await Writer.Writer.write(stream, requests, { sanitize }, new Progress.ProgressProxy(null))
    return text
  },

  /** Reads a recording as “Import HAR file” reads it, and returns its requests. */
  async open(har) {
    const { HARFormat, Importer } = await import('/devtools/models/har/har.js')
    const { log } = new HARFormat.HARRoot(JSON.parse(har))
    return Importer.Importer.requestsFromHARLog(log).map(each => ({
      method: each.requestMethod,
      url: each.url(),
      status: each.statusCode,
    }))
  },
}
