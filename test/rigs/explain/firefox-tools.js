// Functions for the windows of Firefox, which run with all its rights. The text of this file runs there.
const { require } = ChromeUtils.importESModule('resource://devtools/shared/loader/Loader.sys.mjs')
const { gDevTools } = require('devtools/client/framework/devtools')
const { setTimeout } = ChromeUtils.importESModule('resource://gre/modules/Timer.sys.mjs')

/** The network monitor of the tab. */
const toolboxOfTab = () => gDevTools.getToolboxForTab(gBrowser.selectedTab)

globalThis.recording = {
  /** Opens the network monitor. */
  async watch() {
    await gDevTools.showToolboxForTab(gBrowser.selectedTab, { toolId: 'netmonitor' })
  },

  /** Forgets cookies, caches and the requests so far, as a person who comes for the first time. */
  async clear() {
    Services.cookies.removeAll()
    Services.cache2.clear()
    const { store, actions } = toolboxOfTab().getPanel('netmonitor').panelWin
    store.dispatch(actions.clearRequests({ isExplicitClear: true }))
  },

  /** Returns what “Save All As HAR” saves. */
  async save() {
    const { store } = toolboxOfTab().getPanel('netmonitor').panelWin
    // The monitor lists requests in batches: wait until none was added for a while.
    for (let [before, now] = [-1, 0]; before !== now; ) {
      before = now
      await new Promise(resolve => setTimeout(resolve, 400))
      now = store.getState().requests.requests.length
    }
    return JSON.stringify({ log: await toolboxOfTab().getHARFromNetMonitor() })
  },

  /** Reads a recording as “Import HAR File” reads it, and returns its requests. */
  async open(har) {
    const { windowRequire } = toolboxOfTab().getPanel('netmonitor').panelWin
    const { HarImporter } = windowRequire('devtools/client/netmonitor/src/har/har-importer')
    const requests = new Map()
    const note = (id, data) => void requests.set(id, { ...requests.get(id), ...data })
    const importer = new HarImporter({
      clearRequests: () => requests.clear(),
      addRequest: note,
      updateRequest: note,
      addTimingMarker() {},
    })
    importer.import(har)
    return [...requests.values()].map(({ method, url, status }) => ({ method, url, status: Number(status) }))
  },
}
