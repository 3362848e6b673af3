import { answerMembers } from '../../../flows/answers/answer-members.js'
import type { Exchange } from '../../../protocol/http/exchange.js'
import { header } from '../../../protocol/http/message.js'
import type { JsonObject } from '../../../protocol/values.js'
import { inGroup } from '../facts.js'
import {
  fault,
  type Judgement,
  NO_ANSWER,
  notApplicable,
  notTried,
  pass,
  passIf,
  remark,
} from '../finding.js'
import { answered, seen } from '../requester.js'
import { type Registered, registeredIn } from './registrar.js'

/** The answers of a registration endpoint to honest clients, and of the addresses at which these are managed. */
export interface RegistrationFacts {
  /** The metadata that were sent. */
  readonly sent: JsonObject
  readonly honest: Exchange | undefined
  /** Reading the registration with its token, without any, and with the token of another client. */
  readonly read?: Exchange | undefined
  readonly readWithoutToken?: Exchange | undefined
  readonly readByOther?: Exchange | undefined
  /** Deleting the registration, and reading it afterwards. */
  readonly deleted?: Exchange | undefined
  readonly readAfter?: Exchange | undefined
}

const needsToken = (status: number): boolean => status === 401 || status === 403

/** Why nothing can be tried at a registration endpoint, from its answer to an honest client; undefined where all can. */
export function closedBy(honest: Exchange | undefined): Judgement | undefined {
  const status = honest?.response?.status
  if (honest === undefined || status === undefined) return notTried(NO_ANSWER)
  if (needsToken(status)) return notApplicable(`registering needs an initial access token: ${seen(honest)}`)
  if (status === 429) return notTried('too many attempts (429)')
  return registeredIn(honest) === undefined
    ? notTried(`an honest client is not registered: ${seen(honest)}`)
    : undefined
}

const clientOf = ({ honest }: RegistrationFacts): Registered | undefined => registeredIn(honest)

/** Judges what was sent to the address of the management. */
function managed(
  facts: RegistrationFacts,
  exchange: Exchange | undefined,
  judge: (exchange: Exchange, status: number) => Judgement,
): Judgement {
  const closed = closedBy(facts.honest)
  if (closed) return closed
  if (clientOf(facts)?.management === undefined)
    return notApplicable('the answer has no registration_client_uri')
  return answered(exchange, judge)
}

/** Judges an answer to somebody who may not read a registration. */
const hidden = (exchange: Exchange, status: number): Judgement =>
  status < 300
    ? fault(`the registration is shown (${status})`)
    : status === 401
      ? pass(seen(exchange))
      : remark(`refused otherwise: expected 401; got ${seen(exchange)}`)

/** Checks how a server registers an honest client (RFC 7591). */
export const registrationChecks = inGroup<RegistrationFacts>('registration', [
  {
    name: 'registration-works',
    title: 'a client that asks for nothing unusual is registered, by 201',
    rule: 'RFC 7591 §3.2.1',
    judge: ({ honest }) =>
      answered(honest, (exchange, status) => {
        if (needsToken(status)) return closedBy(honest)!
        if (registeredIn(exchange) === undefined) return fault(`not registered: ${seen(exchange)}`)
        return status === 201 ? pass('201') : remark(`${status}, where 201 is the answer`)
      }),
  },
  {
    name: 'registration-no-store',
    severity: 'weakness',
    title: 'the answer with the credentials of the client is stored nowhere',
    rule: 'RFC 7591 §3.2.1',
    judge: ({ honest }) => {
      const value = honest?.response && header(honest.response, 'cache-control')
      return closedBy(honest) ?? passIf(/\bno-store\b/i.test(value ?? ''), value ?? 'no Cache-Control')
    },
  },
  {
    name: 'registration-redirect-uris',
    title: 'the answer says which addresses are registered',
    rule: 'RFC 7591 §3.2.1',
    judge: ({ honest, sent }) => {
      const closed = closedBy(honest)
      if (closed || honest === undefined) return closed ?? notTried(NO_ANSWER)
      const { redirect_uris: uris } = answerMembers(honest)
      const kept = JSON.stringify(uris) === JSON.stringify(sent.redirect_uris)
      return passIf(kept, uris === undefined ? 'redirect_uris are missing' : JSON.stringify(uris))
    },
  },
])

/** Checks who may read and delete a registration (RFC 7592). */
export const managementChecks = inGroup<RegistrationFacts>('registration', [
  {
    name: 'registration-read',
    title: 'a client reads its registration with its token',
    rule: 'RFC 7592 §2.1',
    judge: facts =>
      managed(facts, facts.read, (exchange, status) =>
        passIf(
          status === 200 && answerMembers(exchange).client_id === clientOf(facts)?.clientId,
          seen(exchange),
        ),
      ),
  },
  {
    name: 'registration-without-token',
    title: 'nobody reads a registration without its token',
    rule: 'RFC 7592 §2.1',
    judge: facts => managed(facts, facts.readWithoutToken, hidden),
  },
  {
    name: 'registration-other-token',
    title: 'the token of one registration opens no other one',
    rule: 'RFC 7592 §2.1',
    judge: facts => managed(facts, facts.readByOther, hidden),
  },
  {
    name: 'registration-delete',
    severity: 'weakness',
    title: 'a client deletes its registration, by 204, and its token ends with it',
    rule: 'RFC 7592 §2.3',
    judge: facts =>
      managed(facts, facts.deleted, (exchange, status) => {
        // A server may leave deletion out (RFC 7592 §2.3).
        if (status === 405 || status === 403)
          return notApplicable(`the server deletes none: ${seen(exchange)}`)
        if (status !== 204) return fault(`expected 204; got ${seen(exchange)}`)
        const after = facts.readAfter?.response?.status
        if (after === undefined) return notTried(NO_ANSWER)
        return passIf(
          after >= 400,
          after >= 400 ? `204, then ${after}` : `204, and it is still read (${after})`,
        )
      }),
  },
])
