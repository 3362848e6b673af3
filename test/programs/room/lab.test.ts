// A room of thirty with a lab together: 127.0.0.2 to 127.0.0.31 are the computers, each with a home of its own. Five of them run the program.
import { setMaxListeners } from 'node:events'
import { mkdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { LabEvent } from '../../../src/protocol/events.js'
import type { LabDocument } from '../../../src/protocol/room/lab-document.js'
import { joinRoom, leaveRoom } from '../../../src/session/room/join.js'
import { type RoomProfile, writeRoom } from '../../../src/session/room/profile.js'
import { fetchLabDocument, followLab } from '../../../src/session/room/room-lab.js'
import { ask } from '../../support/https.js'
import { cleanEnv, jsonLines, runProgram, temporaryFolder, until } from '../../support/program.js'
import { classComputers, type OpenWorkshop, openWorkshop } from '../../support/workshop.js'

const folder = temporaryFolder()
const teacherHome = join(folder.path, 'teacher')
let workshop: OpenWorkshop

/** Opens the workshop, at the port of before. */
async function open(): Promise<void> {
  const port = workshop === undefined ? '0' : new URL(workshop.ready.board).port
  workshop = await openWorkshop(cleanEnv(teacherHome), ['--lab'], { port })
}

/** A computer in the class. */
interface Pupil {
  readonly address: string
  readonly home: string
  readonly env: Record<string, string>
  room: RoomProfile
  document: LabDocument
  /** The events that came by GET /room/lab/events. */
  readonly events: LabEvent[]
}
const pupils = Array.from({ length: 30 }, (_, i) => {
  const home = join(folder.path, `pupil-${i + 1}`)
  return {
    address: `127.0.0.${i + 2}`,
    home: join(home, 'lab'),
    env: cleanEnv(home),
    events: [],
  } as unknown as Pupil
})
const [ann, ben, cleo, dan, eve, ...others] = pupils as [Pupil, Pupil, Pupil, Pupil, Pupil, ...Pupil[]]

const from = classComputers()
const all = <Result>(of: readonly Pupil[], work: (each: Pupil) => Promise<Result>) =>
  Promise.all(of.map(each => from(each.address, () => work(each))))

const typed = (pupil: Pupil, ...args: readonly string[]) =>
  runProgram([...args, '--server', 'room'], { env: pupil.env, limit: 240_000 })
const ca = () => readFileSync(join(teacherHome, 'lab/ca.pem'), 'utf8')
const leaving = new AbortController()
setMaxListeners(0, leaving.signal)

/** Asks the token endpoint of the lab as a client, for a token of the client itself. */
function clientToken({ document: { urls } }: Pupil, { client_id, client_secret }: LabDocument['client']) {
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret }).toString()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return ask(`${urls.authorization}/token`, { ca: ca(), method: 'POST', headers, body })
}

const types = ({ events }: Pupil) => new Set(events.map(({ type }) => type))

beforeAll(async () => {
  for (const each of [teacherHome, ...pupils.map(({ home }) => home)]) mkdirSync(each, { recursive: true })
  await open()
}, 150_000)
afterAll(async () => {
  leaving.abort()
  vi.restoreAllMocks()
  await workshop.stop()
  folder.remove()
})

describe('a room of thirty with a lab', { timeout: 300_000 }, () => {
  it('gives each who joins an account of their own, and its addresses', async () => {
    expect(statSync(join(teacherHome, 'lab/workshop-lab.json')).mode & 0o777).toBe(0o600)
    const address = new URL(workshop.ready.board).host
    await all(pupils, async pupil => {
      const { profile } = await joinRoom(pupil.home, undefined, {
        address,
        code: workshop.ready.code,
        name: undefined,
      })
      await writeRoom(pupil.home, undefined, profile)
      pupil.room = profile
      pupil.document = (await fetchLabDocument(profile))!
    })
    for (const { room, document } of pupils) {
      expect(document.urls.authorization).toBe(workshop.ready.lab!.server)
      expect(document.user.username).toBe(room.who.toLowerCase())
    }
    const secrets = pupils.flatMap(({ document: { client, user, cluster, dns } }) => [
      client.client_secret,
      user.password,
      cluster.token,
      dns.token,
    ])
    expect(new Set(secrets).size).toBe(120)
  })

  it('is used by the commands that each uses alone, at once', async () => {
    await all(
      pupils,
      pupil =>
        new Promise<void>(resolve => {
          const listener = (event: LabEvent) => void pupil.events.push(event)
          void followLab(pupil.room, listener, leaving.signal, resolve)
        }),
    )
    const [code, resource, token, events, doctor] = await Promise.all([
      typed(ann, 'flow', 'code', '--json'),
      typed(ben, 'flow', 'resource', '--json'),
      typed(cleo, 'k8s', 'token', '--audience', 'api'),
      typed(dan, 'cf', 'events', '--since', '1h', '--json'),
      typed(eve, 'doctor', '--only', 'token', '--json'),
      all(others, async pupil => expect((await clientToken(pupil, pupil.document.client)).status).toBe(200)),
    ])
    for (const { stdout } of [code, resource])
      expect(jsonLines(stdout).at(-1)).toMatchObject({ type: 'outcome', outcome: 'granted' })
    expect(token.stdout.trim().split('.')).toHaveLength(3)
    expect(token.stderr).toContain(`Token of ${cleo.document.cluster.namespace}/demo`)
    expect(jsonLines(events.stdout).length).toBeGreaterThan(0)
    expect(jsonLines(doctor.stdout)[0]).toMatchObject({ client_id: eve.document.client.client_id })
    expect([code, resource, token, events, doctor].map(each => each.code)).toEqual([0, 0, 0, 0, 0])
  })

  it('has one client for each, and says so', async () => {
    const wrong = await typed(ann, 'flow', 'code', '--client', 'web')
    expect(wrong).toMatchObject({ code: 2, stdout: '' })
    expect(wrong.stderr).toContain(`Known clients: ${ann.document.client.client_id}.`)
    expect(wrong.stderr).toContain('leave --client out')
  })

  it('shows each the events of their own requests, and the teacher all', async () => {
    const wanted = (pupil: Pupil, type: string) =>
      until(
        () => types(pupil).has(type) || undefined,
        () => `${type} is missing: ${[...types(pupil)].join(', ')}`,
        30_000,
      )
    await wanted(ann, 'code.redeemed')
    await wanted(ben, 'resource.accepted')
    await wanted(cleo, 'cluster.token_requested')
    await wanted(dan, 'dns.events_read')
    await wanted(eve, 'token.refused')
    for (const each of others) await wanted(each, 'token.issued')
    const [prefix = ''] = ann.room.who.toLowerCase().split('-')
    for (const { events, room } of pupils) {
      const named = JSON.stringify(events).match(new RegExp(`"${prefix}-\\d{2,3}(?=-app"|")`, 'g')) ?? []
      expect(new Set(named)).toEqual(new Set([`"${room.who.toLowerCase()}`]))
    }
    const people = () =>
      jsonLines(workshop.running.stdout().replace(/[^\n]*$/, ''))
        .filter(({ type }) => type === 'token.issued')
        .map(({ who }) => who)
    await expect.poll(people).toEqual(expect.arrayContaining(others.map(({ room }) => room.who)))
  })

  it('gives a foreign or stolen token nothing of another seat', async () => {
    const other = ben.document
    const mixed = { ...other.client, client_secret: ann.document.client.client_secret }
    expect((await clientToken(ann, mixed)).body).toContain('invalid_client')
    const secrets = `${other.urls.cluster}/api/v1/namespaces/${other.cluster.namespace}/secrets`
    const asAnn = { authorization: `Bearer ${ann.document.cluster.token}` }
    expect((await ask(secrets, { ca: ca(), headers: asAnn })).status).toBe(403)
    const own = secrets.replace(other.cluster.namespace, ann.document.cluster.namespace)
    expect((await ask(own, { ca: ca(), headers: asAnn })).status).toBe(200)
    const known = { authorization: 'Bearer lab-admin-token' }
    expect((await ask(secrets, { ca: ca(), headers: known })).status).toBe(401)
    const { host } = new URL(workshop.ready.board)
    for (const [token, status] of [
      [ann.room.token, 200],
      [ann.document.cluster.token, 401],
      [ann.document.dns.token, 401],
    ] as const) {
      const headers = { authorization: `Bearer ${token}` }
      const answer = await ask(`https://${host}/room/lab`, { ca: ca(), headers })
      expect(answer.status).toBe(status)
      expect(answer.body).not.toContain(other.user.password)
    }
  })

  it('has the same accounts after the program of the teacher was killed', async () => {
    await workshop.stop('SIGKILL')
    const away = await typed(ann, 'flow', 'code')
    expect(away.stderr).toContain('the lab of the room')
    expect(away.code).toBe(3)
    await open()
    await all(pupils, async pupil => {
      const { urls: _, ...before } = pupil.document
      const { urls, ...after } = (await fetchLabDocument(pupil.room))!
      expect(after).toEqual(before)
      pupil.document = { urls, ...after }
    })
    ann.events.length = 0
    expect((await typed(ann, 'flow', 'code', '--json')).code).toBe(0)
    await until(
      () => types(ann).has('code.redeemed') || undefined,
      () => 'no event came after the restart',
      60_000,
    )
  })

  it('is over for those who leave', async () => {
    await leaveRoom(ann.home, undefined, ann.room)
    const after = await typed(ann, 'flow', 'code')
    expect(after.code).toBe(2)
    expect(after.stderr).toContain('you are in none')
    await expect(fetchLabDocument(ann.room)).rejects.toThrow('does not know you')
  })
})
