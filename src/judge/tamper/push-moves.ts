import { altered, without, withValue } from './messages.js'
import type { AuthorizationMove, Refusal } from './move.js'

const page: Refusal = { by: 'page', errors: [] }

/** Pushed requests that the browser must not use so (RFC 9126). */
export const pushMoves: readonly AuthorizationMove[] = [
  {
    name: 'guessed-request-uri',
    at: 'authorization_request',
    afterPush: true,
    does: 'sends the browser with a request_uri that the server never gave',
    risk: 'requests of others can be found by guessing',
    rule: 'RFC 9126 §7.1',
    expects: [page],
    change: pairs => withValue(pairs, 'request_uri', altered),
  },
  {
    name: 'other-client-request-uri',
    at: 'authorization_request',
    afterPush: true,
    does: 'sends the browser with the request_uri of one client and the name of another',
    risk: 'one client acts on a request that another pushed',
    rule: 'RFC 9126 §2.2',
    expects: [page],
    needs: 'other',
    change: (pairs, { other }) => withValue(pairs, 'client_id', value => other?.clientId ?? value),
  },
  {
    name: 'reused-request-uri',
    at: 'authorization_request',
    afterPush: true,
    usedBefore: true,
    does: 'sends the browser with a request_uri by which another person logged in before',
    risk: 'anyone who finds a request_uri in a history can start the same login again',
    rule: 'RFC 9126 §4',
    expects: [page],
    needs: 'secondUser',
    change: pairs => pairs,
  },
  {
    name: 'expired-request-uri',
    at: 'authorization_request',
    afterPush: true,
    does: 'waits until the request_uri has expired, by the server’s clock',
    risk: 'a request that leaks later is still good',
    rule: 'RFC 9126 §4',
    expects: [page],
    wait: 'requestUri',
    change: pairs => pairs,
  },
  {
    name: 'unpushed-request',
    at: 'authorization_request',
    afterPush: true,
    does: 'sends the browser with the parameters themselves, though requests have to be pushed',
    risk: 'anyone on the way through the browser reads and changes the request',
    rule: 'RFC 9126 §5',
    expects: [{ by: 'redirect', errors: ['invalid_request'] }, page],
    notHere: ({ pushRequired }) =>
      pushRequired ? undefined : 'neither the server nor the client requires pushed requests',
    change: (pairs, _situation, pushed) => [
      ...pairs.filter(([name]) => name === 'client_id'),
      ...without(pushed, 'client_id', 'client_secret', 'client_assertion', 'client_assertion_type'),
    ],
  },
]
