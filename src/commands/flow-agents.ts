import { setTimeout as sleep } from 'node:timers/promises'
import { createBrowserAgent } from '../client/browser.js'
import type { CallbackListener } from '../client/callback-listener.js'
import { createBrowserVerifier } from '../client/device-browser.js'
import { createHeadlessVerifier } from '../client/device-headless.js'
import { createHeadlessAgent } from '../client/headless.js'
import type { AskLogin } from '../client/login.js'
import { openBrowser } from '../client/open-browser.js'
import type { AllPorts } from '../flows/ports.js'
import type { Send } from '../http/exchange.js'
import { makeSafe } from '../render/text.js'
import { answerFirst, answerOnce, type KnownUser } from './flow-words.js'

/** How long a person may take in the browser, unless `--timeout` says otherwise; the life of a code. */
const PERSON_PATIENCE = 600_000

/** Who takes part in a flow beside the servers. */
export interface FlowPeople {
  /** How the client's own requests travel. */
  readonly send: Send
  /** How a browser's requests travel. */
  readonly browse: Send
  /** Whoever is named by the flags logs in first. */
  readonly user: KnownUser | undefined
  /** Asks a person at the terminal. */
  readonly ask: AskLogin | undefined
  /** Listens at the redirect_uri, where that is on this computer. */
  readonly callback: CallbackListener | undefined
  /** Whether the person uses a browser of their own. */
  readonly inBrowser: boolean
  /** Whether to open it, and not only to print the address. */
  readonly open: boolean
  /** Milliseconds; undefined: as long as a code lives. */
  readonly patience: number | undefined
  /** Tells a person one line. */
  readonly say: (line: string) => void
  readonly now: () => number
  readonly random: (length: number) => Uint8Array
  readonly signal: AbortSignal
}

/** The ports of a flow, made of those who take part. */
export function portsOf(people: FlowPeople): AllPorts {
  const { send, browse, user, ask, callback, inBrowser, say, now, random, signal } = people
  const open = (url: string) => openUnlessTold(url, people)
  const browser =
    callback &&
    createBrowserAgent({
      callback,
      open,
      show: url => say(makeSafe(`Open this address to log in:  ${url}`)),
      waitMs: people.patience ?? PERSON_PATIENCE,
      now,
    })
  const inOwnBrowser = createBrowserVerifier({
    open,
    show: (url, code) => say(makeSafe(`Open this address and compare the code ${code}:  ${url}`)),
  })
  const known = user === undefined ? undefined : ask ? answerFirst(user, ask) : answerOnce(user)
  const askLogin: AskLogin = known ?? ask ?? (async () => ({ kind: 'cancel' }))
  return {
    send,
    now,
    random,
    signal,
    askLogin,
    wait: ms => sleep(ms, undefined, { signal }),
    userAgent:
      inBrowser && browser
        ? browser
        : createHeadlessAgent({
            send: browse,
            askLogin,
            ...(callback && { callback }),
            ...(browser && { browser }),
          }),
    deviceVerifier: inBrowser
      ? inOwnBrowser
      : createHeadlessVerifier({ send: browse, askLogin, browser: inOwnBrowser }),
  }
}

async function openUnlessTold(url: string, { open, say }: Pick<FlowPeople, 'open' | 'say'>): Promise<void> {
  if (!open) return
  await openBrowser(url, {
    env: process.env,
    platform: process.platform,
    onProblem: problem => say(makeSafe(`No browser was opened (${problem}). Open the address yourself.`)),
  })
}
