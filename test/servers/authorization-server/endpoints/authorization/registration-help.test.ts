import { describe, expect, it } from 'vitest'
import { registrationHelp } from '../../../../../src/servers/authorization-server/endpoints/authorization/registration-help.js'
import { client } from '../../support.js'

const NEW = 'https://client.example/new'

it.each([
  ['demo', NEW, NEW],
  ['demo-spa', NEW, NEW],
  ['demo-native', NEW, NEW],
  ['app', NEW, `app=${NEW}`],
  ['demo', 'https://u-1.example:8443/a_b/~c', `'https://u-1.example:8443/a_b/~c'`],
  ['demo', 'https://u-1.example:8443/a_b/%41@,+.', 'https://u-1.example:8443/a_b/%41@,+.'],
  ['demo', 'https://client.example/?a=b', `'https://client.example/?a=b'`],
  ['demo', 'https://client.example/cb?', `'https://client.example/cb?'`],
  ['demo', 'https://client.example/$(reboot)', `'https://client.example/$(reboot)'`],
  ['demo', `https://client.example/'&'`, `'https://client.example/'\\''&'\\'''`],
  ['an app', NEW, `'an app=${NEW}'`],
  [';app', NEW, `';app=${NEW}'`],
])(
  'the line that starts the lab with an address of the client %s, for %s, is one word of a shell',
  (id, sent, word) => {
    const { ways } = registrationHelp(client(id), sent)
    expect(ways?.serve).toBe(`oauth-lab serve --redirect-uri ${word}`)
  },
)

describe('the help for an address that is not registered', () => {
  it('lists the registered addresses, the closest and the member of the lab file', () => {
    const registered = ['https://client.example/cb', 'http://127.0.0.1/"quoted"']
    expect(registrationHelp(client('app', { redirect_uris: registered }), NEW)).toEqual({
      clientId: 'app',
      sent: NEW,
      registered,
      closest: registered[0],
      differences: [expect.stringContaining('/new')],
      ways: {
        serve: `oauth-lab serve --redirect-uri app=${NEW}`,
        labFile: `redirect_uris: ["https://client.example/cb", "http://127.0.0.1/\\"quoted\\"", "${NEW}"]`,
      },
    })
  })

  it('compares with every address, and lists twenty', () => {
    const many = Array.from({ length: 21 }, (_, i) => `https://host${i}.example/${i === 20 ? 'new' : 'cb'}`)
    const help = registrationHelp(client('app', { redirect_uris: many }), 'https://host20.example/New')
    expect(help.registered).toEqual(many.slice(0, 20))
    expect(help.closest).toBe(many[20])
  })

  it.each([
    ['a web client', { client_secret: 'x' }, 'http://localhost:5000/cb', true],
    ['a public client', {}, 'http://localhost:5000/cb', false],
    [
      'a native client',
      { client_secret: 'x', application_type: 'native' as const },
      'http://localhost:5000/cb',
      false,
    ],
    ['a web client', { client_secret: 'x' }, 'http://127.0.0.1:5000/cb', false],
    ['a web client', { client_secret: 'x' }, 'http://[::1]:5000/cb', false],
    ['a web client', { client_secret: 'x' }, 'https://localhost:5000/cb', false],
  ])('of %s with %j explains localhost for %s: %s', (_name, more, sent, explains) => {
    const { ways } = registrationHelp(client('app', more), sent)
    expect(ways).toBeDefined()
    expect(ways?.remark?.includes('localhost') ?? false).toBe(explains)
  })
})
