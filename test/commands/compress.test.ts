import { describe, expect, it } from 'vitest'
import { programInHome } from './support.js'

const { oauthLab } = programInHome()

describe('compress explain', () => {
  it('says what is read, what wins by which rule, and what others would do', async () => {
    const { code, stdout } = await oauthLab('compress', 'explain', 'br;q=0.5, gzip, *;q=0, foo bar')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^oauth-lab sends +gzip +gzip has the highest weight \(RFC 9110 §12\.4\.2\)$/m)
    expect(stdout).toMatch(/^ +foo bar +ignored: it is no token/m)
    expect(stdout).toMatch(/^ASP\.NET Core +identity /m)
  })

  it('joins repeated fields, and gives all of it as one object', async () => {
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
      vary: 'Accept-Encoding',
      bytes: { decoded: 2048, coded: 48, framing: 0, tls: 22 },
    })
  })

  it('explains the bytes of gzip', async () => {
    const { stdout } = await oauthLab('compress', 'get', '/kb/2', '--offer', 'gzip', '--hex')
    expect(stdout).toMatch(/coded body +48 B/)
    expect(stdout).toContain('effort 4: fastest')
    expect(stdout).toContain('its length, 2048 bytes')
    expect(stdout).toContain('a flush')
  })

  it.each([
    [['kb/2'], 2, 'neither a path nor an address'],
    [['/kb/2', '--offer', 'gzip\r\nX: 1'], 2, 'no header can carry'],
    [['/kb 2'], 2, 'percent-encoded'],
    [['http://127.0.0.1:1/'], 3, 'cannot reach'],
  ])('refuses %j', async (args, expected, message) => {
    const { code, stderr, stdout } = await oauthLab('compress', 'get', ...args)
    expect(code).toBe(expected)
    expect(stderr).toContain(message)
    expect(stdout).toBe('')
  })
})

describe('compress proxy', () => {
  it('prints the equal nginx configuration', async () => {
    const { code, stdout } = await oauthLab('compress', 'proxy', '--mode', 'force-gunzip', '--nginx-conf')
    expect(code).toBe(0)
    expect(stdout).toContain('proxy_set_header Accept-Encoding "gzip";')
    expect(stdout).toContain('gunzip on;')
  })

  it('refuses an unknown mode and names the others', async () => {
    const { code, stderr } = await oauthLab('compress', 'proxy', '--mode', 'zip')
    expect(code).toBe(2)
    expect(stderr).toContain('force-gunzip')
  })
})
