import { MODE_SETTINGS, type ProxyMode, type ProxySettings } from './modes.js'

/** The mode of a running proxy. */
export interface ModeSwitch {
  readonly mode: ProxyMode
  /** The settings of the current mode; the proxy reads them at every request. */
  settings(): ProxySettings
  /** From the next request on. */
  setMode(mode: ProxyMode): void
}

/** @param first the mode to begin with */
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
