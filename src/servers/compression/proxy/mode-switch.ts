import { MODE_SETTINGS, type ProxyKnobs, type ProxyMode, type ProxySettings, withKnobs } from './modes.js'

/** The mode of a running proxy. */
export interface ModeSwitch {
  readonly mode: ProxyMode
  /** Returns the settings of the current mode. The proxy reads them at every request. */
  settings(): ProxySettings
  /** Changes the mode from the next request on. */
  setMode(mode: ProxyMode): void
}

/** Makes the switch of a proxy that starts in the mode `first`. The changes `knobs` stay in every mode. */
export function createModeSwitch(first: ProxyMode, knobs: ProxyKnobs = {}): ModeSwitch {
  let mode = first
  return {
    get mode() {
      return mode
    },
    settings: () => withKnobs(MODE_SETTINGS[mode], knobs),
    setMode(next) {
      mode = next
    },
  }
}
