import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { explainOpened } from '../../../src/judge/explain/read/explain-source.js'
import { openRecordingFile } from '../../../src/judge/explain/read/recording-file.js'
import { openRecording } from '../../../src/judge/explain/read/source.js'
import { redactedHar } from '../../../src/judge/explain/redact/redact-source.js'
import { entry, har } from './recording.js'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'oauth-lab-attached-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const SHA1 = 'da39a3ee5e6b4b0d3255bfef95601890afd80709'
const WORDS = 'the code was redeemed twice'
const SECRET = 'very-secret-0123456789abcdef'
const ANSWER = JSON.stringify({ error: 'invalid_grant', error_description: WORDS })
const FORM = `grant_type=authorization_code&code=c0de-0123456789abcdef&client_id=web&client_secret=${SECRET}`

/** A token request whose bodies stand in files, by a member of Playwright. */
function tokenEntry(member: '_file' | '_sha1', answer = `${SHA1}.json`) {
  const made = entry(1, 'POST', 'https://id.example/token', { status: 400, json: {} }, { form: '' })
  const content = { mimeType: 'application/json', size: ANSWER.length, [member]: answer }
  const postData = {
    mimeType: 'application/x-www-form-urlencoded',
    text: '',
    params: [],
    [member]: `${SHA1}.dat`,
  }
  return { ...made, request: { ...made.request, postData }, response: { ...made.response, content } }
}

const recording = (answer?: string) => har([tokenEntry('_file', answer)])
const trace = () => `${JSON.stringify({ type: 'resource-snapshot', snapshot: tokenEntry('_sha1') })}\n`

/** A zip archive (APPNOTE.TXT), as far as it is read. */
function zip(files: Readonly<Record<string, string>>, method: 0 | 8 = 8): Buffer {
  const locals: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const [name, text] of Object.entries(files)) {
    const packed = method === 8 ? deflateRawSync(text) : Buffer.from(text)
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50, 0)
    local.writeUInt16LE(name.length, 26)
    const central = Buffer.alloc(46)
    central.writeUInt32LE(0x02014b50, 0)
    central.writeUInt16LE(method, 10)
    central.writeUInt32LE(packed.length, 20)
    central.writeUInt32LE(Buffer.byteLength(text), 24)
    central.writeUInt16LE(name.length, 28)
    central.writeUInt32LE(at, 42)
    locals.push(local, Buffer.from(name), packed)
    directory.push(central, Buffer.from(name))
    at += 30 + name.length + packed.length
  }
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(Object.keys(files).length, 10)
  end.writeUInt32LE(Buffer.concat(directory).length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...locals, ...directory, end])
}

function write(name: string, content: string | Buffer): string {
  const path = join(folder, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
  return path
}

/** The findings about a recording, as one text. */
async function explained(path: string): Promise<string> {
  const file = await openRecordingFile(path)
  try {
    const { flows } = await explainOpened(await openRecording(file.open()), path, file.attached)
    return JSON.stringify(flows.flatMap(({ findings }) => findings))
  } finally {
    await file.close()
  }
}

const BODIES = { [`${SHA1}.json`]: ANSWER, [`${SHA1}.dat`]: FORM }
const below = (place: string) =>
  Object.fromEntries(Object.entries(BODIES).map(([name, text]) => [`${place}/${name}`, text]))

describe('a body in a file of its own', () => {
  it.each<[string, Readonly<Record<string, string | Buffer>>, string]>([
    ['beside a HAR', { 'login.har': recording(), ...BODIES }, 'login.har'],
    [
      'in a folder beside a HAR',
      { 'login.har': recording(`a/${SHA1}.json`), ...below('a'), ...BODIES },
      'login.har',
    ],
    ['in a recording of recordHar', { 'r.zip': zip({ ...BODIES, 'har.har': recording() }) }, 'r.zip'],
    [
      'in an archive that is not deflated',
      { 'r.zip': zip({ 'har.har': recording(), ...BODIES }, 0) },
      'r.zip',
    ],
    ['in a folder of an archive', { 'r.zip': zip({ 'x/har.har': recording(), ...below('x') }) }, 'r.zip'],
    [
      'in a trace',
      { 'trace.zip': zip({ '0-trace.trace': '{}', '0-trace.network': trace(), ...below('resources') }) },
      'trace.zip',
    ],
    ['in a trace that is unpacked', { 'trace.network': trace(), ...below('resources') }, 'trace.network'],
  ])('is read: %s', async (_, files, name) => {
    for (const [each, content] of Object.entries(files)) write(each, content)
    expect(await explained(join(folder, name))).toContain(WORDS)
  })

  it.each([
    ['in the folder above', '../outside.json'],
    ['by an absolute name', '/etc/outside.json'],
    ['behind a link that leads out', 'link.json'],
    ['in a folder behind such a link', 'out/outside.json'],
    ['hidden', '.outside.json'],
    ['missing', 'nowhere.json'],
    ['larger than a megabyte', 'large.json'],
    ['a folder', 'folder'],
  ])('is not read where it is %s', async (_, name) => {
    write('outside.json', ANSWER)
    write('in/.outside.json', ANSWER)
    write('in/large.json', ANSWER + ' '.repeat(1024 * 1024))
    mkdirSync(join(folder, 'in/folder'))
    symlinkSync(join(folder, 'outside.json'), join(folder, 'in/link.json'))
    symlinkSync(folder, join(folder, 'in/out'))
    const found = await explained(write('in/login.har', recording(name)))
    expect(found).not.toContain(WORDS)
  })

  it('stands in a redacted copy, without its secrets', async () => {
    const file = await openRecordingFile(write('r.zip', zip({ ...BODIES, 'har.har': recording() })))
    let copy = ''
    for await (const piece of redactedHar(file.open, Buffer.alloc(32), '1', file.attached)) copy += piece
    await file.close()
    expect(copy).toContain(WORDS)
    expect(copy).not.toContain(SECRET)
    expect(copy).not.toContain('_file')
  })
})

describe('a zip archive', () => {
  it.each<[string, () => Buffer, RegExp]>([
    ['holds no recording', () => zip({ 'a.txt': 'x' }), /no \.har file, and no trace of Playwright/],
    ['holds two', () => zip({ 'a.har': recording(), 'b.har': recording() }), /holds 2 \.har files/],
    ['is cut', () => zip({ 'har.har': recording() }).subarray(0, -30), /cannot be read/],
    [
      'has a broken directory',
      () =>
        Buffer.from(
          zip({ 'har.har': recording() }).toString('latin1').replace('PK\x01\x02', 'PK\x01\x09'),
          'latin1',
        ),
      /cannot be read/,
    ],
    [
      'has a damaged file',
      () => {
        const broken = zip({ 'har.har': recording() })
        return broken.fill(0xff, 40, 60)
      },
      /har\.har is damaged/,
    ],
  ])('that %s is refused in one sentence', async (_, bytes, message) => {
    await expect(explained(write('r.zip', bytes()))).rejects.toThrow(message)
  })
})
