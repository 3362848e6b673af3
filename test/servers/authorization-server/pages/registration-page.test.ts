import { describe, expect, it } from 'vitest'
import { text } from '../../../../src/protocol/http/message.js'
import { CALLBACK, client, codeRequest, lab } from '../support.js'

const NEW = 'https://client.example/<new>'

/** The page for an address, as terms with their descriptions and the paragraphs after them. */
async function pageFor(sent: string | undefined, redirect_uris: readonly string[] = [CALLBACK]) {
  const { authorize } = lab({ clients: [client('app', { redirect_uris: [...redirect_uris] })] })
  const page = await authorize(codeRequest({ client_id: 'app', redirect_uri: sent }))
  const body = text(page.body)
  const list = body.slice(body.indexOf('<dl>'), body.indexOf('</dl>'))
  const terms = list.split('<dt>').slice(1)
  const described = terms.map(term => {
    const [name = '', ...values] = term.split(/<\/dt>|<dd>/).map(part => part.replace(/<[^>]*>/g, '').trim())
    return [name, values.filter(value => value !== '')] as const
  })
  return { status: page.status, body, facts: Object.fromEntries(described) }
}

describe('the page for an address that is not registered', () => {
  it('shows the request, the registration and the difference, escaped', async () => {
    const { status, facts, body } = await pageFor('http://127.0.0.1/other', [CALLBACK, 'https://a.example/'])
    expect(status).toBe(400)
    expect(facts).toMatchObject({
      Error: ['invalid_request'],
      'redirect_uri of the request': ['http://127.0.0.1/other'],
      'Registered for app': [CALLBACK, 'https://a.example/'],
      [`Different from ${CALLBACK}`]: [expect.stringContaining('/other')],
    })
    expect(body).toContain('<code>oauth-lab serve --redirect-uri app=http://127.0.0.1/other</code>')
    expect((await pageFor(NEW)).body).not.toContain('<new>')
  })

  it('names no address of the request where it has none', async () => {
    const { facts, body } = await pageFor(undefined, [CALLBACK, 'https://a.example/'])
    expect(Object.keys(facts)).toEqual(['Error', 'Rule', 'Registered for app'])
    expect(body).not.toContain('--redirect-uri')
  })

  it('says that nothing is registered, and how to register the address', async () => {
    const { facts, body } = await pageFor('https://client.example/cb', [])
    expect(facts['Registered for app']).toEqual(['none'])
    expect(Object.keys(facts).some(name => name.startsWith('Different'))).toBe(false)
    expect(body).toContain('redirect_uris: [&quot;https://client.example/cb&quot;]')
  })
})
