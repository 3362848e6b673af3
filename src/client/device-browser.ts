import type { DeviceVerifier } from './device-verifier.js'

/** How the person's own browser is reached. */
export interface BrowserDeviceParts {
  /** Opens the URL, or does not: `--no-open`. Never fails. */
  readonly open: (url: string) => Promise<void>
  /** Shows the person the address and the code, before anything is opened. */
  readonly show: (url: string, userCode: string) => void
}

/**
 * The person with a browser of their own. What happens there is not seen from here: the device hears of the decision
 * when it asks for its tokens.
 */
export function createBrowserVerifier({ open, show }: BrowserDeviceParts): DeviceVerifier {
  return {
    async *verify({ url, userCode, signal }) {
      signal.throwIfAborted()
      show(url, userCode)
      await open(url)
      yield { name: 'device_verification', url, note: 'in your browser' }
      yield { name: 'device_approval', note: 'in your browser' }
    },
  }
}
