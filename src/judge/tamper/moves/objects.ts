import { randomBytes } from 'node:crypto'
import { makeObject } from '../../../flows/requests/object-draft.js'
import type { FormPairs } from '../../../protocol/http/form.js'
import { strangersKey } from '../../../protocol/tokens/client-assertion.js'
import type { WantedRequestObject } from '../../../protocol/tokens/request-object.js'
import type { JsonObject } from '../../../protocol/values.js'
import { altered, STRANGER, without, withValue } from '../messages.js'
import { type AuthorizationMove, authorizationTable, byRedirect, page } from '../move.js'
import type { Situation } from '../situation.js'

/** Returns a key of a stranger, of the kind that the client signs with. */
async function strangers({ key, ...wanted }: WantedRequestObject): Promise<WantedRequestObject> {
  if (key === undefined) return { ...wanted, secret: randomBytes(32).toString('base64url') }
  return { ...wanted, key: await strangersKey(key) }
}

/** The name of another client, which need not exist. */
const somebodyElse = ({ other }: Situation) => other?.clientId ?? 'oauth-lab-no-such-client'

const seconds = (value: unknown) => (typeof value === 'number' ? value : 0)

/** The parameters of the request itself stay. */
const unchanged = (pairs: FormPairs) => pairs

/** Changes the claims about the object itself. */
const claiming =
  (change: (about: JsonObject, situation: Situation) => object): NonNullable<AuthorizationMove['object']> =>
  (draft, situation) =>
    makeObject({ ...draft, about: { ...draft.about, ...change(draft.about, situation) } })

/** Objects that nobody the server knows signed. Nothing in them counts, not even an address for the error. */
const forged = authorizationTable({ needsObject: 'signed', expects: [page], change: unchanged }, [
  {
    name: 'altered-request-object',
    does: 'changes the signature of the request object',
    risk: 'anyone on the way can change what the client asks for',
    rule: 'RFC 9101 §6.2',
    object: async draft => {
      const [signed, signature = ''] = (await makeObject(draft)).split(/\.(?=[^.]*$)/)
      return `${signed}.${altered(signature)}`
    },
  },
  {
    name: 'foreign-request-object',
    does: 'signs the request object with a key that is not the client’s',
    risk: 'anyone can ask in the name of the client',
    rule: 'RFC 9101 §10.2',
    object: async draft => makeObject({ ...draft, wanted: await strangers(draft.wanted) }),
  },
  {
    name: 'unsigned-request-object',
    does: 'sends the request object with alg none, without a signature',
    risk: 'anyone can ask in the name of the client',
    rule: 'RFC 9101 §10.5',
    optional: true,
    harmless: ({ signedObjects }) =>
      signedObjects
        ? undefined
        : 'it is no worse than a plain request: OpenID Connect Core §6.1 allows it where no signature is required',
    object: draft => makeObject({ ...draft, wanted: { ...draft.wanted, kind: 'unsigned' } }),
  },
])

/** The error of a bad request object (RFC 9101 §7) may go to the address that a signed object itself names. */
const expects = [byRedirect('invalid_request_object', 'invalid_request'), page] as const

/** Objects that the client signed. */
const signed = authorizationTable({ needsObject: 'signed', expects, change: unchanged }, [
  {
    name: 'expired-request-object',
    does: 'sends a request object whose exp is past',
    risk: 'a request that leaks later is still good',
    rule: 'RFC 7519 §4.1.4',
    object: claiming(({ iat }) => ({
      iat: seconds(iat) - 900,
      nbf: seconds(iat) - 900,
      exp: seconds(iat) - 600,
    })),
  },
  {
    name: 'misdirected-request-object',
    does: 'sends a request object that was made for another server',
    risk: 'a server that receives a request object can use it elsewhere',
    rule: 'RFC 7519 §4.1.3',
    object: claiming(() => ({ aud: `https://${STRANGER}` })),
  },
  {
    name: 'other-issuer-request-object',
    does: 'names another client as iss of the request object',
    risk: 'one client acts on a request that another made',
    rule: 'RFC 9101 §10.2',
    harmless: () => 'the signature shows which client asks: iss only has to agree where a server reads it',
    object: claiming((_about, situation) => ({ iss: somebodyElse(situation) })),
  },
  {
    name: 'other-client-request-object',
    does: 'names one client in the request object, and another beside it',
    risk: 'one client acts on a request that another made',
    rule: 'RFC 9101 §6.3',
    object: (draft, situation) =>
      makeObject({
        ...draft,
        parameters: withValue(draft.parameters, 'client_id', () => somebodyElse(situation)),
      }),
  },
  {
    name: 'nested-request-object',
    does: 'puts a request object into the request object',
    risk: 'one part of the server checks the outer object and another uses the inner one',
    rule: 'RFC 9101 §4',
    harmless: () => 'the signed outer object counts: the inner one may be ignored like any unknown parameter',
    object: async draft =>
      makeObject({ ...draft, about: { ...draft.about, request: await makeObject(draft) } }),
  },
  {
    name: 'replayed-request-object',
    sentBefore: true,
    does: 'sends a request object that another browser sent before',
    risk: 'anyone who finds a request in a log can start the same login again',
    rule: 'RFC 7519 §4.1.7',
    optional: true,
    harmless: () => 'only a strict server remembers request objects: RFC 9101 does not ask for it',
    object: makeObject,
  },
])

/** Wrong parameters beside a good object. */
const beside = authorizationTable({ needsObject: 'any', change: unchanged }, [
  {
    name: 'contradicted-request-object',
    mayIgnore: 'the address beside it is ignored',
    does: 'adds the redirect_uri of somebody else beside the request object',
    risk: 'anyone who changes the address of the request gets the code',
    rule: 'RFC 9101 §6.3',
    expects,
    beside: pairs => [...pairs, ['redirect_uri', `https://${STRANGER}/callback`]],
  },
  {
    name: 'unregistered-request-uri',
    does: 'names a request_uri at somebody else’s server in place of the request object',
    risk: 'the server fetches whatever anyone names, and acts on it',
    rule: 'RFC 9101 §10.4.1',
    expects: [page, byRedirect('invalid_request_uri', 'request_uri_not_supported')],
    beside: pairs => [...without(pairs, 'request'), ['request_uri', `https://${STRANGER}/request.jwt`]],
  },
  {
    name: 'request-and-request-uri',
    does: 'names a request_uri beside the request object',
    risk: 'one part of the server checks the one and another uses the other',
    rule: 'RFC 9101 §5',
    expects: [page, byRedirect('invalid_request', 'request_uri_not_supported')],
    beside: pairs => [...pairs, ['request_uri', `https://${STRANGER}/request.jwt`]],
  },
])

/** Wrong request objects (RFC 9101, OpenID Connect Core §6), and wrong parameters beside a good one. */
export const objectMoves: readonly AuthorizationMove[] = [...forged, ...signed, ...beside]
