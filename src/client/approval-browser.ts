import type { AuthenticationDevice } from './authentication-device.js'

/** The ports of the person's own browser as authentication device. */
export interface BrowserApprovalParts {
  /** The address of the page that asks. */
  readonly page: string
  /** Opens the URL, unless the person passed `--no-open`. Never fails. */
  readonly open: (url: string) => Promise<void>
  /** Shows the URL and the message to compare, before `open` is called. */
  readonly show: (url: string, bindingMessage: string | undefined) => void
}

/** Creates the device for the person's own browser. Its visits are not recorded: the client learns of the decision by itself. */
export function createBrowserApproval({ page, open, show }: BrowserApprovalParts): AuthenticationDevice {
  return {
    async *decide({ bindingMessage, signal }) {
      signal.throwIfAborted()
      show(page, bindingMessage)
      await open(page)
      yield { name: 'approval_page', url: page, note: 'in your browser' }
      yield { name: 'approval', note: 'in your browser' }
    },
  }
}
