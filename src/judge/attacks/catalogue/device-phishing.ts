import { shownPage } from '../../../client/page-visitor.js'
import type { Steps } from '../../../flows/walk.js'
import type { Exchange } from '../../../protocol/http/exchange.js'
import { parseForm } from '../../../protocol/http/form.js'
import { splitUrl } from '../../../protocol/http/message.js'
import { attack, type Defence, type Scene } from '../model.js'
import { deviceRequest, grantRequest, memberOf, need, needMember, readRecords } from '../moves.js'

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

/** The sentence of the page that stops a person who has no device in hand. */
const WARNING = /only if your own device shows this code/i

const WARNED: Defence = { check: 'device_warning', rule: 'RFC 8628 §5.4' }

/** The time that the attacker waits before a poll, in milliseconds. */
const POLL_PAUSE = 10_000

/** Opens the page of the link, and does what a person does who reads it: logs in, or refuses because no device shows the code. */
async function* decide({ victim, step }: Scene, link: string): Steps<Exchange> {
  const page = await victim.open(link)
  const warned = WARNING.test(page.response?.body ?? '')
  const note = warned
    ? 'alice reads: “Continue only if your own device shows this code now”. She has no such device'
    : 'the page says nothing about a device: alice reads a login page of her own server'
  yield step('device_verification', { exchange: page, note })
  const { form } = shownPage(page)
  if (form === undefined) return page
  const decided = warned
    ? await victim.post(form.action, [...form.fields, ['cancel', 'yes']], page, {
        advice: 'you have no such device. Decide by what the page says',
      })
    : await victim.logIn(form, victim.account, page)
  const decision = warned ? 'alice refuses' : 'alice logs in and allows'
  yield step('device_approval', { exchange: decided, note: decision })
  return decided
}

/** A device of the attacker that the victim approves. */
export const devicePhishing = attack({
  name: 'device-phishing',
  title: 'a device of the attacker, approved by the victim through a link',
  rule: 'RFC 8628 §5.4',
  weak: ['device-no-warning'],
  opened: { 'device-no-warning': { stolen: true } },
  starts: [
    'The attacker can send alice a link (A1 in RFC 9700 §3).',
    'The attacker knows the client_id of a device; a device is a public client.',
    'Alice reads the pages of her own server, and believes them.',
  ],
  steals: 'records of alice',
  defences: [WARNED],
  wouldNotHelp: [
    'checking the address of the page: alice is at the real server',
    'a second factor: alice logs in herself, with all her factors',
    'PKCE and redirect addresses: this grant has neither',
  ],
  clients: () => [
    {
      client_id: 'demo-tv',
      client_name: 'Demo television',
      redirect_uris: [],
      response_types: [],
      grant_types: [DEVICE_GRANT],
    },
  ],
  running: { standIn: 'demo' },
  story: {
    device_authorization_request:
      'The attacker starts the login of a device that they own, and gets a user code.',
    lure: 'The attacker sends alice the link with the user code.',
    device_verification:
      'Alice opens the link. The page must make her compare the code with a device in her hand.',
    device_approval: 'Alice decides by what the page says.',
    poll_request: 'The attacker’s device asks for its tokens.',
    resource_request: 'The attacker reads the records with the token of the device.',
  },
  lanes: {
    device_authorization_request: [
      'attacker',
      'authorization_server',
      'POST /device_authorization',
      '8628 §3.1',
    ],
    lure: ['attacker', 'user_agent', 'a link in a mail', '8628 §5.4'],
    device_verification: ['user_agent', 'authorization_server', 'GET /device', '8628 §3.3'],
    device_approval: ['user_agent', 'authorization_server', 'POST /device', '8628 §3.3'],
    poll_request: ['attacker', 'authorization_server', 'POST /token', '8628 §3.4'],
  },
  async *run(scene) {
    const { attacker, catcher, step, advance, refusal } = scene
    const begun = await attacker.send(deviceRequest(scene, catcher.client, 'records:read'))
    yield step('device_authorization_request', { exchange: begun })
    const deviceCode = needMember(begun, 'device_code')
    const plain = `${needMember(begun, 'verification_uri')}?user_code=${needMember(begun, 'user_code')}`
    const url = memberOf(begun, 'verification_uri_complete') ?? plain
    yield step('lure', { url, note: '“Please confirm your account within ten minutes”' })

    const { request } = yield* decide(scene, url)
    advance(POLL_PAUSE)
    const poll = grantRequest(scene, catcher.client, DEVICE_GRANT, { device_code: deviceCode })
    const tokens = await attacker.send(poll)
    yield step('poll_request', { exchange: tokens })
    const pressed = parseForm(request.body).some(([name]) => name === 'cancel')
    const token = memberOf(tokens, 'access_token')
    if (token !== undefined || !pressed) return yield* readRecords(scene, need(token, tokens))
    // She pressed Refuse on a page that warned her: that page is the check behind the refusal of the poll.
    const refused = await refusal(tokens)
    const where = splitUrl(request.url).path
    const detail = `alice pressed Refuse at ${where}, and the poll was answered: ${refused?.detail}`
    return refused && { ...WARNED, detail }
  },
})
