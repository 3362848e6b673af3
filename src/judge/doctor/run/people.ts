import { createBrowserAgent } from '../../../client/browser.js'
import type { CallbackListener } from '../../../client/callback-listener.js'
import { createBrowserVerifier } from '../../../client/device-browser.js'
import { createHeadlessVerifier } from '../../../client/device-headless.js'
import { createHeadlessAgent } from '../../../client/headless.js'
import { answerFirst, answerNever, answerOnce, type KnownUser } from '../../../client/known-login.js'
import type { AskLogin } from '../../../client/login.js'
import { defined } from '../../../protocol/values.js'
import { openIfWanted, PERSON_PATIENCE, type People, wrongRequest } from '../../../session/people/people.js'
import type { DoctorPorts } from '../ports.js'

/** The person's own browser, which finishes what this program cannot read. */
export interface OwnBrowser extends Pick<People, 'open' | 'say' | 'witness'> {
  readonly callback: CallbackListener
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

/** Makes the people of an examination. Each flow logs in by itself. */
export function doctorPeople(
  user: KnownUser | undefined,
  second: KnownUser | undefined,
  own: OwnBrowser | undefined,
): Pick<DoctorPorts, 'agentWith' | 'secondAgentWith' | 'verifierWith'> {
  const other: Pick<DoctorPorts, 'secondAgentWith'> = second
    ? { secondAgentWith: send => createHeadlessAgent({ send, askLogin: answerOnce(second) }) }
    : {}
  if (own === undefined) {
    const ask = () => (user ? answerOnce(user) : answerNever)
    return {
      ...other,
      agentWith: send => createHeadlessAgent({ send, askLogin: ask() }),
      verifierWith: send => createHeadlessVerifier({ send, askLogin: ask() }),
    }
  }
  const { callback, now, say } = own
  const open = (url: string) => openIfWanted(url, own)
  const parts = {
    callback,
    open,
    show: (url: string) => say(`Open this address to log in:  ${url}`),
    note: say,
    waitMs: PERSON_PATIENCE,
    now,
  }
  const inPerson: AskLogin = async () => ({ kind: 'browser' })
  const ask = () => (user ? answerFirst(user, inPerson) : inPerson)
  const verifier = createBrowserVerifier({
    open,
    show: async (url, code) => say(`Open this address and compare the code ${code}:  ${url}`),
  })
  return {
    ...other,
    agentWith(send, wrong) {
      const browser = createBrowserAgent(wrong === undefined ? parts : wrongRequest(parts, wrong, own))
      return createHeadlessAgent(defined({ send, askLogin: ask(), browser, unread: browser }))
    },
    verifierWith: send => createHeadlessVerifier({ send, askLogin: ask(), browser: verifier }),
  }
}
