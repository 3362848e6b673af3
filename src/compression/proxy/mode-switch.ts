import { MODE_SETTINGS, type ProxyMode, type ProxySettings } from './modes.js'

/** The mode of a running proxy. */
export interface ModeSwitch {
  readonly mode: ProxyMode
  /** Returns the settings of the current mode. The proxy reads them at every request. */
  settings(): ProxySettings
  /** Changes the mode from the next request on. */
  setMode(mode: ProxyMode): void
}

/** Makes the switch of a proxy that starts in the mode `first`. */
export function createModeSwitch(first: ProxyMode): ModeSwitch {
  let mode = first
  return {
    get mode() {
      return mode
    },
    settings: () => MODE_SETTINGS[mode],
    setMode(next) {
      mode = next
    },
  }
}
