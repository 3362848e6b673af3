import { expect, it } from 'vitest'
import { eventsSince, explainEvents, summary } from '../judge/explain/lab-events/support.js'
import { run } from '../support/program.js'
import { describeWith } from '../support/requires.js'
import { sharedLab } from '../support/shared.js'

const lab = sharedLab()

describeWith(['curl'], 'curl', () => {
  const callback = 'http://127.0.0.1:7000/callback'

  async function curl(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await run(
      'curl',
      ['-q', '--silent', '--show-error', '--max-time', '20', '--cacert', lab.ready.ca, ...args],
      { env: lab.env },
    )
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    return stdout
  }

  it('logs in, redeems the code once and is refused the second time', async () => {
    const server = lab.ready.urls.authorization
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: 'demo',
      redirect_uri: callback,
      scope: 'records:read',
      state: 's+/=1',
    })
    const url = `${server}/authorization?${query}`
    const jar = ['--cookie', 'jar', '--cookie-jar', 'jar']
    const csrf = /name="csrf"[^>]*value="([^"]+)"/.exec(await curl(...jar, url))?.[1] ?? ''
    const form = ['username=alice', 'password=wonderland', `csrf=${csrf}`].flatMap(field => [
      '--data-urlencode',
      field,
    ])
    const landed = await curl(...jar, ...form, '--write-out', '%{redirect_url}', '--output', '/dev/null', url)
    const answer = new URL(landed)
    expect(`${answer.origin}${answer.pathname}`).toBe(callback)
    expect(answer.searchParams.get('state')).toBe('s+/=1')
    expect(answer.searchParams.get('iss')).toBe(server)

    const token = () =>
      curl(
        ...['--user', 'demo:demo-secret-0123456789abcdef0123456789', '--write-out', '\n%{http_code}'],
        ...['--data', 'grant_type=authorization_code', '--data-urlencode', `redirect_uri=${callback}`],
        ...['--data-urlencode', `code=${answer.searchParams.get('code')}`, `${server}/token`],
      ).then(text => text.split('\n') as [body: string, status: string])
    const [body, status] = await token()
    expect(status).toBe('200')
    expect(JSON.parse(body)).toMatchObject({ token_type: 'Bearer', expires_in: 3600 })
    const [refused, refusedStatus] = await token()
    expect(refusedStatus).toBe('400')
    expect(JSON.parse(refused)).toMatchObject({ error: 'invalid_grant' })

    // The client has a secret, and uses no PKCE.
    expect(summary(await explainEvents(await eventsSince(lab, 0)))).toEqual([
      'code demo alice refused, weakness pkce-missing 1, fault code-reused 4',
    ])
  })

  it('does not trust the lab without its CA', async () => {
    const { code } = await run('curl', ['-q', '--silent', lab.ready.urls.authorization], { env: lab.env })
    expect(code).toBe(60)
  })
})
