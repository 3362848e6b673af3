import type { DeviceVerifier } from './device-verifier.js'

/** The ports of the browser verifier. */
export interface BrowserDeviceParts {
  /** Opens the URL, unless the person passed `--no-open`. Never fails. */
  readonly open: (url: string) => Promise<void>
  /** Shows the URL and the code to the person, before `open` is called. */
  readonly show: (url: string, userCode: string) => Promise<void>
}

/**
 * Creates the verifier for the person's own browser. Its visits are not recorded: the device learns of the decision when it polls the token endpoint.
 */
export function createBrowserVerifier({ open, show }: BrowserDeviceParts): DeviceVerifier {
  return {
    async *verify({ url, userCode, signal }) {
      signal.throwIfAborted()
      await show(url, userCode)
      await open(url)
      yield { name: 'device_verification', url, note: 'in your browser' }
      yield { name: 'device_approval', note: 'in your browser' }
    },
  }
}
