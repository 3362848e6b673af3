import type { RequestListener } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { dictionaryCodings, NO_DICTIONARY } from '../../../src/protocol/http/codings.js'
import { listen } from '../../client/support/tls-server.js'
import { ends, programInHome } from '../../commands/support.js'
import { runHere } from '../../support/in-process.js'
import { jsonLines, startProgram, until } from '../../support/program.js'

const { env, written } = programInHome()

const oauthLab = (...args: string[]) => runHere(args, { env: env({ TERM: 'xterm' }) })

describe('compress explain', () => {
  it('prints the members, the winner with its rule, and the answers of others', async () => {
    const { code, stdout } = await oauthLab('compress', 'explain', 'br;q=0.5, gzip, *;q=0, foo bar')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^oauth-lab sends +gzip +gzip has the highest weight \(RFC 9110 §12\.4\.2\)$/m)
    expect(stdout).toMatch(/^ +foo bar +ignored: it is no token/m)
    expect(stdout).toMatch(/^ASP\.NET Core +identity /m)
    expect(stdout).toMatch(/^with a dictionary +(?:none|dc[bz]).*\(RFC 9842 §6\)$/m)
  })

  it('joins repeated fields and prints one object', async () => {
    const { stdout } = await oauthLab('compress', 'explain', 'deflate', 'gzip', '--json')
    expect(JSON.parse(stdout)).toMatchObject({
      coding: 'gzip',
      rule: '12.5.3',
      members: [{ coding: 'deflate' }, { coding: 'gzip' }],
    })
  })
})

describe('compress get', () => {
  it('counts the bytes of a payload of an embedded lab', async () => {
    const { code, stdout } = await oauthLab('compress', 'get', '/kb/2', '--offer', 'gzip', '--json')
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      status: 200,
      contentEncoding: 'gzip',
      vary: expect.stringMatching(/^Accept-Encoding\b/),
      bytes: { decoded: 2048, coded: 48, framing: 0, tls: 22 },
      wireBytes: 48,
    })
  })

  it('asks with a dictionary of the server, or says that this Node.js takes none', async () => {
    const asked = ['compress', 'get', '/kb/200', '--dictionary', '/kb/2', '--hex']
    const { code, stdout, stderr } = await oauthLab(...asked)
    expect(code).toBe(0)
    expect(stdout).toMatch(/Accept-Encoding +gzip, deflate, br, zstd, dcb, dcz/)
    expect(stdout).toMatch(/dictionary +2,048 B, SHA-256 b2a3a502fdfc34f4/)
    const codings = await dictionaryCodings()
    if (codings.includes('dcb')) {
      expect(stdout).toMatch(/Content-Encoding +dcb/)
      expect(stdout).toContain('the first 36 B of the coded body name this dictionary')
      expect(stdout).toContain('ff 44 43 42  magic: dcb (RFC 9842 §4)')
      expect(stdout).toMatch(/body +204,800 B/)
    } else {
      expect(stderr).toContain(NO_DICTIONARY)
      if (codings.length === 0) expect(stdout).toContain('the answer does not use it')
    }
  })

  it('takes a file as the dictionary, and no page of another origin', async () => {
    const file = written('dictionary', 'a'.repeat(3 * 1024))
    const { stdout } = await oauthLab('compress', 'get', '/kb/2', '--dictionary', file, '--json')
    expect(JSON.parse(stdout).dictionary).toMatchObject({ bytes: 3072 })
    const empty = await oauthLab('compress', 'get', '/kb/2', '--dictionary', '/kb/0')
    expect(empty).toMatchObject(ends(2, 'no bytes'))
    const other = await oauthLab('compress', 'get', '/kb/2', '--dictionary', 'https://example.com/a')
    expect(other).toMatchObject(ends(2, 'RFC 9842 §2.1'))
  })

  it('explains the bytes of gzip', async () => {
    const { stdout } = await oauthLab('compress', 'get', '/kb/2', '--offer', 'gzip', '--hex')
    expect(stdout).toMatch(/coded body +48 B/)
    expect(stdout).toContain('effort 4: fastest')
    expect(stdout).toContain('its length, 2048 bytes')
    expect(stdout).toContain('a flush')
  })

  it('asks with every offer', async () => {
    const { stdout } = await oauthLab('compress', 'get', '/kb/2', '--offers', 'all')
    expect(stdout).toMatch(/^gzip +gzip +48 B$/m)
    expect(stdout).toMatch(/^gzip;q=0, \* +br +22 B$/m)
  })

  it.each([
    [['/kb/2', '--offer', 'gzip\r\nX: 1'], 2, 'a header cannot hold'],
    [['/kb 2'], 2, '/kb%202'],
    [['http://127.0.0.1:1/a b'], 2, 'percent-encoded'],
    [['http://127.0.0.1:1/stra\u00dfe'], 2, 'stra%C3%9Fe'],
    [['http://127.0.0.1:1/a\r\nX: 1'], 2, 'percent-encoded'],
    [['http://127.0.0.1:1/\u010a'], 2, 'percent-encoded'],
    [['http://alice:wonder@127.0.0.1:1/'], 3, 'cannot reach http://127.0.0.1:1 '],
    [['/kb/2', '-H', 'X: a\r\nY: b'], 2, 'HTTP allows'],
  ])('refuses %j', async (args, expected, message) => {
    const { code, stderr, stdout } = await oauthLab('compress', 'get', ...args)
    expect(code).toBe(expected)
    expect(stderr).toContain(message)
    expect(stdout).toBe('')
  })
})

/** The address of a server in plain HTTP, which ends with the test. */
async function serving(listener: RequestListener): Promise<string> {
  const { origin, close } = await listen(listener)
  onTestFinished(close)
  return origin
}

describe('compress with an address of another server', () => {
  it('sends the user and the password of the address, and prints no password', async () => {
    const seen: unknown[] = []
    const listener: RequestListener = ({ headers }, response) => {
      seen.push([headers.authorization, headers['x-own']])
      response.end('hi')
    }
    const url = await serving(listener)
    const address = `${url.replace('://', '://alice:wonderland@')}/page`
    const { code, stdout, stderr } = await oauthLab(
      'compress',
      'get',
      address,
      '-H',
      'X-Own: 1',
      '-H',
      'X-B: 2',
    )
    expect(code).toBe(0)
    expect(stdout).toContain(`GET ${url}/page`)
    expect(stdout + stderr).not.toContain('wonderland')
    expect(seen).toEqual([[`Basic ${Buffer.from('alice:wonderland').toString('base64')}`, '1']])
  })

  it('follows redirects when it is asked to, and names them', async () => {
    const listener: RequestListener = ({ url }, response) => {
      if (url === '/page') response.end('hi')
      else response.writeHead(302, { location: '/page' }).end()
    }
    const url = await serving(listener)
    const { stdout } = await oauthLab('compress', 'get', `${url}/`, '--follow')
    expect(stdout).toContain(`redirect          302 to ${url}/page`)
    expect(stdout).toContain('status            200')
  })

  it.each(['lint', 'budget'])('measures no error page and no redirect with %s', async command => {
    const listener: RequestListener = ({ url }, response) => {
      if (url === '/moved') response.writeHead(301, { location: '/' }).end()
      else response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not found</h1>')
    }
    const url = await serving(listener)
    const missing = await oauthLab('compress', command, `${url}/missing`)
    expect(missing).toMatchObject({ code: 1, stdout: '' })
    expect(missing.stderr).toContain('answers HTTP 404: an error page is not measured')
    const moved = await oauthLab('compress', command, `${url}/moved`)
    expect(moved).toMatchObject({ code: 1, stdout: '' })
    expect(moved.stderr).toContain('--follow')
  })

  it('counts an unknown coding without decoding it', async () => {
    const listener: RequestListener = (_, response) =>
      response.writeHead(200, { 'content-encoding': 'x-own', vary: 'accept-encoding' }).end('own bytes')
    const url = await serving(listener)
    const { code, stdout } = await oauthLab('compress', 'get', `${url}/`, '--offer', 'x-own')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^ {2}coded body +9 B$/m)
    expect(stdout).toContain('not decoded')
    expect((await oauthLab('compress', 'gateway', `${url}/`)).code).toBe(0)
  })
})

describe('compress proxy', () => {
  it('prints the equal nginx configuration', async () => {
    const { code, stdout } = await oauthLab('compress', 'proxy', '--mode', 'force-gunzip', '--nginx-conf')
    expect(code).toBe(0)
    expect(stdout).toContain('proxy_set_header Accept-Encoding "gzip";')
    expect(stdout).toContain('gunzip on;')
  })

  it('starts no lab for a configuration, and names the default address of one', async () => {
    const { stdout, stderr } = await oauthLab('compress', 'proxy', '--nginx-conf')
    expect(stdout).toContain('proxy_pass https://localhost:8443;')
    expect(stderr).toBe('')
  })

  it('switches its mode by lines on stdin, and reports an unknown mode', async () => {
    const proxy = startProgram(['compress', 'proxy', '--port', '0', '--json'], {
      env: env(),
      input: 'mode force\ngzzip\n\ngzip\n',
    })
    await until(
      () => (jsonLines(proxy.stdout()).length === 3 ? true : undefined),
      () => proxy.stdout() + proxy.stderr(),
    )
    proxy.child.kill('SIGTERM')
    expect((await proxy.ended).code).toBe(143)
    const [ready, ...switched] = jsonLines(proxy.stdout())
    expect(ready).toMatchObject({ url: expect.stringMatching(/^https:/), mode: 'default' })
    expect(switched).toMatchObject([
      { type: 'proxy.switched', mode: 'force' },
      { type: 'proxy.switched', mode: 'gzip' },
    ])
    expect(proxy.stderr()).toContain('Did you mean gzip?')
  })
})

describe('compress table', () => {
  it('prints offers × sizes of the lab, which breaks no rule', async () => {
    const { code, stdout } = await oauthLab(
      ...'compress table --kb 1,200 --offer gzip'.split(' '),
      'br;q=0, zstd;q=0, *',
    )
    expect(code).toBe(0)
    expect(stdout).toMatch(/^gzip +gzip +38 B +gzip +935 B$/m)
    expect(stdout).toMatch(/^br;q=0, zstd;q=0, \* +gzip +38 B +gzip +935 B$/m)
  })

  it.each(['-1', '1e9', '0x2', '2.0', '', '1,,2', '10241', '1,2,3,4,5,6,7', '../'])(
    'refuses --kb %j',
    async kb => {
      const { readSizes } = await import('../../../src/commands/compress/studies.js')
      expect(() => readSizes(kb)).toThrow('--kb')
    },
  )
})

describe('compress gateway', () => {
  it('prints the offer of a gateway and the answer to it', async () => {
    const { code, stdout } = await oauthLab('compress', 'gateway', '/kb/2', '--json')
    expect(code).toBe(0)
    const { gateway, others } = JSON.parse(stdout)
    expect(gateway).toMatchObject({ offer: 'gzip,deflate', contentEncoding: 'gzip', bytes: { coded: 48 } })
    expect(others.length).toBeGreaterThan(5)
  })
})

describe('compress lint', () => {
  it('finds no fault with the lab', async () => {
    const { code, stdout } = await oauthLab('compress', 'lint', '/.well-known/openid-configuration')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^✓ vary +the coded answers have/m)
    expect(stdout).toMatch(/^✓ 0 faults/m)
  })
})

describe('compress lint of a server that lies', () => {
  it('is refused with the reason', async () => {
    const url = await serving((_, response) => {
      response.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' }).end('plain')
    })
    const { code, stdout } = await oauthLab('compress', 'lint', `${url}/`, '--json')
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({
      verdict: 'refused',
      checks: expect.arrayContaining([
        expect.objectContaining({
          name: 'body',
          ok: false,
          detail: expect.stringContaining('is not valid gzip'),
        }),
      ]),
    })
  })
})

describe('compress budget', () => {
  it('measures a file', async () => {
    const file = written('letters', 'a'.repeat(2048))
    const { code, stdout } = await oauthLab('compress', 'budget', file, '--json')
    expect(code).toBe(0)
    const { codecs } = JSON.parse(stdout)
    expect(codecs).toContainEqual(expect.objectContaining({ name: 'gzip 1, flush', bytes: 48 }))
  })
})

describe('compress breach', () => {
  it('shows that the page of the lab does not give its secret away', async () => {
    const { code, stdout } = await oauthLab('compress', 'breach', '--json')
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ fixed: { givesAway: true }, masked: { givesAway: false } })
  })
})

describe('compress cache', () => {
  it('shows which clients get an unreadable answer from a cache without Vary', async () => {
    const { code, stdout } = await oauthLab('compress', 'cache', '/kb/2', '--json')
    expect(code).toBe(0)
    const { heeded, ignored } = JSON.parse(stdout)
    expect(heeded.some((visit: object) => 'broken' in visit)).toBe(false)
    expect(ignored[1]).toMatchObject({ offer: null, from: 'hit', contentEncoding: 'gzip' })
    expect(ignored[1].broken).toContain('nobody asked for')
  })
})

it('prints the cases without a terminal, with --json one a line', async () => {
  const [plain, json, wrong] = await Promise.all([
    oauthLab('compress'),
    oauthLab('compress', '--json'),
    oauthLab('compress', 'gte'),
  ])
  expect(plain.code).toBe(0)
  expect(plain.stdout).toMatch(/^GET \/kb\/200$/m)
  expect(plain.stdout).toMatch(/^ {2}C {2}proxy forces gzip upstream +offer nothing$/m)
  expect(plain.stdout).toMatch(/^ {5}proxy → client {3}gzip +935 B {2}\S+ {2}! not asked for$/m)
  expect(jsonLines(json.stdout)).toMatchObject(
    [...'ABCDE'].map(name => ({ name, path: '/kb/200', status: 200 })),
  )
  expect(wrong).toMatchObject({ code: 2, stdout: '' })
  expect(wrong.stderr).toMatch(/unknown command 'gte'\n +Did you mean get\?/)
})
