import { setTimeout as sleep } from 'node:timers/promises'
import { createHeadlessApproval } from '../../client/approval-headless.js'
import type { AuthenticationDevice } from '../../client/authentication-device.js'
import { type BrowserParts, createBrowserAgent } from '../../client/browser.js'
import type { Callback } from '../../client/callback.js'
import type { CallbackListener } from '../../client/callback-listener.js'
import { createHeadlessVerifier } from '../../client/device-headless.js'
import type { DeviceVerifier } from '../../client/device-verifier.js'
import { createHeadlessAgent, type OneTimeCodeOf } from '../../client/headless.js'
import { answerFirst, answerNever, answerOnce, type KnownUser } from '../../client/known-login.js'
import type { AskLogin } from '../../client/login.js'
import { openBrowser } from '../../client/open-browser.js'
import { createPasteAgent } from '../../client/paste.js'
import type { AllPorts, NetworkPorts } from '../../flows/ports.js'
import type { Send } from '../../protocol/http/exchange.js'
import { defined } from '../../protocol/values.js'

/** The ports of the browser verifier. */
interface BrowserDeviceParts {
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

/** The ports of the person's own browser as authentication device. */
interface BrowserApprovalParts {
  /** The address of the page that asks. */
  readonly page: string
  /** Opens the URL, unless the person passed `--no-open`. Never fails. */
  readonly open: (url: string) => Promise<void>
  /** Shows the URL and the message to compare, before `open` is called. */
  readonly show: (url: string, bindingMessage: string | undefined) => void
}

/** Creates the device for the person's own browser. Its visits are not recorded: the client learns of the decision by itself. */
function createBrowserApproval({ page, open, show }: BrowserApprovalParts): AuthenticationDevice {
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

/** Longest wait for a person in the browser, in milliseconds, unless `--timeout` sets another: the life of a code. */
export const PERSON_PATIENCE = 600_000

/** Longest wait for a person who judges the answer to a wrong request, in milliseconds. */
const WITNESS_PATIENCE = 120_000

/** The same where nobody at the terminal can report what the browser shows. */
const UNWATCHED_PATIENCE = 20_000

/** The people of a flow, and the ways to reach them. */
export interface People {
  /** The user whom the options name. This user logs in first. */
  readonly user: KnownUser | undefined
  /** Another user, for wrong moves that take two people. */
  readonly second?: KnownUser | undefined
  /** The one-time codes of users. Absent: none is known. */
  readonly oneTimeCode?: OneTimeCodeOf | undefined
  /** Asks a person at the terminal. */
  readonly ask: AskLogin | undefined
  /** True when the person logs in with their own browser. */
  readonly inBrowser: boolean
  /** Asks for the address at which the person's browser ended; `ask`: by the same way as for a login. */
  readonly pastes?: AskLogin | 'ask' | undefined
  /** Draws an address for a camera. Absent: nothing is drawn. */
  readonly qr?: ((url: string) => Promise<readonly string[]>) | undefined
  /** True when that browser is opened; otherwise only the address is printed. */
  readonly open: boolean
  /** Longest wait for a person in the browser, in milliseconds; undefined: as long as a code lives. */
  readonly patience: number | undefined
  /** Asks the person at the terminal what their browser shows. */
  readonly witness?: NonNullable<BrowserParts['witness']> | undefined
  /** Shows a person one line. It makes the text safe, which comes from outside. */
  readonly say: (line: string) => void
}

/** The parts of the ports of a flow that do not depend on its people. */
type World = Pick<AllPorts, 'now' | 'random' | 'signal'> & Partial<Pick<AllPorts, 'wait'>>

/** Makes the ports of a flow, apart from `send`. */
export function peoplePorts(
  people: People,
  world: World,
  callback: CallbackListener | undefined,
  logoutCallback?: Callback,
): Omit<AllPorts, 'send' | 'userAgent' | 'deviceVerifier'> &
  Pick<NetworkPorts, 'agentWith' | 'secondAgentWith'> & {
    readonly verifierWith: (browse: Send) => AllPorts['deviceVerifier']
    /** Creates the device on which the person decides, from the address of the page that asks. */
    readonly approvalWith: (browse: Send, page: string) => AuthenticationDevice
  } {
  const { user, second, oneTimeCode, ask, inBrowser, say } = people
  const open = (url: string) => openIfWanted(url, people)
  const parts = callback && {
    callback,
    logoutCallback,
    open,
    show: (url: string, purpose: string) => say(`Open this address to ${purpose}:  ${url}`),
    note: say,
    waitMs: people.patience ?? PERSON_PATIENCE,
    now: world.now,
  }
  const pasteBy = people.pastes === 'ask' ? ask : people.pastes
  const show = (url: string, purpose: string) => say(`Open this address to ${purpose}:  ${url}`)
  const pasting = pasteBy && createPasteAgent({ open, show, ask: pasteBy })
  const browser = parts && createBrowserAgent(parts)
  /** Opens a wrong request: headless as far as its answer can be read, then in the person's own browser. */
  const assisted = (send: Send, wrong: string) => {
    const sees = parts && createBrowserAgent(wrongRequest(parts, wrong, people))
    const inPerson: AskLogin = async () => ({ kind: 'browser' })
    const ask = user ? answerFirst(user, inPerson) : inPerson
    return createHeadlessAgent(
      defined({
        send,
        askLogin: ask,
        oneTimeCode,
        askCode: people.ask,
        callback,
        logoutCallback,
        browser: sees,
        unread: sees,
      }),
    )
  }
  const ownVerifier = createBrowserVerifier({
    open,
    async show(url, code) {
      for (const line of (await people.qr?.(url)) ?? []) say(line)
      say(`Open this address and compare the code ${code}:  ${url}`)
    },
  })
  const known = user && (ask ? answerFirst(user, ask) : answerOnce(user))
  const askLogin = known ?? ask ?? answerNever
  return {
    wait: ms => sleep(ms, undefined, { signal: world.signal }),
    ...world,
    askLogin,
    agentWith: (send, wrong) =>
      pasting ??
      (inBrowser && browser && wrong !== undefined
        ? assisted(send, wrong)
        : inBrowser && browser
          ? browser
          : createHeadlessAgent(
              defined({ send, askLogin, oneTimeCode, askCode: ask, callback, logoutCallback, browser }),
            )),
    ...(second && {
      secondAgentWith: send =>
        createHeadlessAgent(defined({ send, askLogin: answerOnce(second), oneTimeCode, callback })),
    }),
    verifierWith: send =>
      inBrowser ? ownVerifier : createHeadlessVerifier({ send, askLogin, browser: ownVerifier }),
    approvalWith(send, page) {
      const compare = (message: string | undefined) =>
        message === undefined ? '' : ` and compare the message “${message}”`
      const browser = createBrowserApproval({
        page,
        open,
        show: (url, message) => say(`Open this address to decide${compare(message)}:  ${url}`),
      })
      return inBrowser ? browser : createHeadlessApproval({ send, askLogin, page, oneTimeCode, browser })
    },
  }
}

/** The parts of a browser in which a wrong request is opened. */
export function wrongRequest(
  parts: BrowserParts,
  wrong: string,
  { witness, say }: Pick<People, 'witness' | 'say'>,
): BrowserParts {
  return {
    ...parts,
    // Nobody at a terminal is asked: only an answer at the redirect_uri counts.
    witness: witness ?? neverAnswers,
    waitMs: Math.min(parts.waitMs, witness ? WITNESS_PATIENCE : UNWATCHED_PATIENCE),
    show(url, purpose) {
      say(
        `A wrong request, which ${wrong}. Only an error page is right; where it lets you log in, do so and see where it leads.`,
      )
      parts.show(url, purpose)
    },
  }
}

/** Rejects when nobody waits any longer. */
function neverAnswers(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

/** Opens an address in the person's browser, unless they do that themselves. */
export async function openIfWanted(url: string, { open, say }: Pick<People, 'open' | 'say'>): Promise<void> {
  if (!open) return
  await openBrowser(url, {
    env: process.env,
    platform: process.platform,
    onProblem: problem => say(`No browser was opened (${problem}). Open the address yourself.`),
  })
}
