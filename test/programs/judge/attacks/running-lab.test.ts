import { rmSync } from 'node:fs'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { attackNamed, attacks } from '../../../../src/judge/attacks/attacks.js'
import { chooseLab, type LabWish } from '../../../../src/judge/attacks/choose-lab.js'
import type { Attack, AttackOutcome, AttackRecord } from '../../../../src/judge/attacks/model.js'
import { runAttack } from '../../../../src/judge/attacks/run.js'
import { startLab } from '../../../../src/lab/lab.js'
import { loadLabConfig } from '../../../../src/lab/lab-file/config.js'
import type { LabOptions } from '../../../../src/lab/model.js'
import { openEventFile, readEvents } from '../../../../src/lab/state/event-file.js'
import { type RunningLab, recordRunningLab, removeRunningLab } from '../../../../src/lab/state/running.js'
import { grouped } from '../../../../src/protocol/rules/entry.js'
import type { WeakName } from '../../../../src/protocol/rules/weak-modes.js'
import { cellsOf } from '../../../support/attack-cells.js'
import { temporaryFolder } from '../../../support/program.js'
import { sharedFolder } from '../../../support/shared.js'

/** Milliseconds for the cells of one attack, on a machine that does other work too. */
const PATIENCE = 300_000

const folder = sharedFolder()
const home = `${folder.path}/lab`

const stops: (() => Promise<void>)[] = []
async function stopAll() {
  for (const stop of stops.splice(0)) await stop()
}
afterEach(stopAll)

/** Starts a lab as `serve` does: with its events in the file, and its record. */
async function serve(
  weak: readonly WeakName[],
  options: Partial<LabOptions> = {},
  claims: Partial<RunningLab> = {},
) {
  const config = { ...(await loadLabConfig(null)), weak, ...options.config }
  const ports = { authorization: 0, resource: 0, client: 0, ...options.ports }
  const lab = await startLab({ ...options, config, home, ports })
  const events = await openEventFile(home)
  lab.events.subscribe(events.add)
  const record: RunningLab = {
    pid: process.pid,
    startedAt: Date.now(),
    urls: lab.urls,
    ca: lab.caFile,
    config: null,
    ...(weak.length > 0 && { weak }),
    ...claims,
  }
  await recordRunningLab(home, record)
  stops.push(async () => {
    removeRunningLab(home)
    await lab.stop()
    await events.close()
  })
  return lab
}

const chosen = (attack: Attack, wish: Partial<LabWish> = {}) =>
  chooseLab(attack, { weak: 'auto', home, ...wish })

async function recordsOf(
  attack: Attack,
  weak: LabWish['weak'],
  said: string[] = [],
): Promise<AttackRecord[]> {
  const at = await chosen(attack, { weak })
  const records: AttackRecord[] = []
  const { signal } = new AbortController()
  const narrate = (line: string) => void said.push(line)
  for await (const record of runAttack(attack, { weak: at.weak, at, signal, narrate })) records.push(record)
  return records
}

function endOf(records: readonly AttackRecord[]): AttackOutcome {
  const last = records.at(-1)
  if (last?.type !== 'outcome') throw new Error('an attack ends with its outcome')
  return last
}

const playable = attacks.filter(({ running }) => !('never' in running))

/**
 * The cells of the attacks by the lab that they play at, because a lab serves several attacks. Left out are the modes that change
 * nothing, and the thousands of pages that `breach` guesses with, which say nothing more here than at a lab of its own.
 */
const labs = grouped(
  playable.flatMap(attack =>
    cellsOf(attack)
      .filter(({ weak }) => weak.length !== 1 || weak[0]! in attack.opened)
      .filter(({ outcome }) => attack.name !== 'breach' || outcome === 'defended')
      .map(cell => ({ attack, ...cell })),
  ),
  ({ weak, attack }) => `${weak.join(' ') || 'strict'}${attack.compression ? ', compressed' : ''}`,
)

describe('the table of attacks and modes, at running labs', () => {
  it.each([...labs])(
    '%s',
    async (_, cells) => {
      const { weak, attack: first } = cells[0]!
      const compression = first.compression === true
      const lab = await serve(weak, { config: { ...(await loadLabConfig(null)), weak, compression } })
      for (const { attack, outcome, check } of cells) {
        const said: string[] = []
        // The lab file of the record is the built-in one, which does not compress.
        const at = await chosen(attack, { weak }).catch(() => undefined)
        const strictAndPlain = compression && weak.length === 0
        if (!strictAndPlain) expect(at?.joined?.record.urls).toEqual(lab.urls)
        const end = endOf(await recordsOf(attack, weak, said))
        if (!strictAndPlain) expect(said[0]).toContain(`Uses the running lab ${lab.urls.authorization}`)
        if (outcome === 'defended') expect(end.rule).toMatch(/§/)
        expect([attack.name, end.outcome, end.check]).toEqual([attack.name, outcome, check])
      }
    },
    PATIENCE,
  )
})

describe('the choice of a lab', () => {
  const stolenCode = attackNamed('stolen-code')

  it('is an own one where none runs, and says how to use a running one', async () => {
    expect(await chosen(stolenCode)).toEqual({
      weak: ['redirect-prefix'],
      other: 'at a running lab: oauth-lab serve --weak redirect-prefix',
    })
    expect((await chosen(attackNamed('login-csrf'), { weak: [] })).other).toBe(
      'at a running lab: oauth-lab serve --client-port 8448',
    )
  })

  it('takes a lab whose modes open the attack, and no other', async () => {
    const lab = await serve(['redirect-any', 'no-iss'])
    const { joined, weak } = await chosen(stolenCode)
    expect(joined?.record.urls).toEqual(lab.urls)
    expect(weak).toEqual(['redirect-any', 'no-iss'])
    expect(await chosen(stolenCode, { own: '--own-lab' })).toMatchObject({
      weak: ['redirect-prefix'],
      other: 'at a running lab: without --own-lab',
    })
    for (const [attack, wish, why] of [
      [stolenCode, { weak: [] }, 'it is weak (redirect-any, no-iss)'],
      [stolenCode, { weak: ['framable'] }, 'it is not weak by framable'],
      [attackNamed('code-replay'), {}, 'its weak modes do not open this attack (redirect-any, no-iss)'],
    ] as const) {
      const other = await chosen(attack, wish)
      expect(other.joined).toBeUndefined()
      expect(other.unused).toBe(`Your lab ${lab.urls.authorization} runs too, and is not used: ${why}`)
    }
  })

  it('names the command that attacks a strict lab', async () => {
    const lab = await serve([])
    expect((await chosen(stolenCode)).unused).toBe(
      `Your lab ${lab.urls.authorization} runs too, and is not used: it has every defence. At that lab:   oauth-lab attack run stolen-code --strict`,
    )
    expect((await chosen(stolenCode, { weak: [] })).joined?.record.urls).toEqual(lab.urls)
    expect((await chosen(attackNamed('mix-up'), { weak: [] })).other).toMatch(
      /^it cannot use a running lab: /,
    )
  })

  it('leaves alone a lab that hides its modes, and one without a demo client', async () => {
    await serve(['redirect-any'], {}, { weak: ['hidden'] })
    expect((await chosen(stolenCode)).unused).toContain('its weak modes are hidden')
    await stopAll()
    const lab = await serve([])
    const { client: _, ...urls } = lab.urls
    await recordRunningLab(home, { pid: process.pid, startedAt: 1, urls, ca: lab.caFile, config: null })
    expect((await chosen(attackNamed('login-csrf'), { weak: [] })).unused).toContain('--client-port 8448')
  })

  it('uses --server to choose among the records, and never as an address', async () => {
    const lab = await serve(['redirect-any'])
    const server = lab.urls.authorization
    expect((await chosen(stolenCode, { server })).joined?.record.urls).toEqual(lab.urls)
    await expect(chosen(stolenCode, { server: 'https://login.example' })).rejects.toThrow(
      'no lab of yours runs at https://login.example, and an attack runs at no other address',
    )
    await expect(chosen(stolenCode, { server, weak: [] })).rejects.toThrow(
      `stolen-code cannot use the lab ${server}: it is weak (redirect-any)`,
    )
    removeRunningLab(home)
    await expect(chosen(stolenCode, { server })).rejects.toThrow('an attack runs at no other address')
  })
})

describe('a record that is not true', () => {
  const stolenCode = attackNamed('stolen-code')

  it.each([
    [
      'weak, and a strict server',
      [],
      ['redirect-any'],
      'is weak (redirect-any), and the server does not say so',
    ],
    ['weak in other ways', ['no-iss', 'redirect-any'], ['redirect-any'], 'does not say so'],
  ] as const)('%s', async (_, weak, claimed, message) => {
    await serve(weak, {}, { weak: claimed })
    await expect(chosen(stolenCode)).rejects.toThrow(message)
  })

  it('strict, and a weak server', async () => {
    const lab = await serve(['redirect-any'])
    const { urls, caFile: ca } = lab
    await recordRunningLab(home, { pid: process.pid, startedAt: 1, urls, ca, config: null })
    await expect(chosen(stolenCode, { weak: [] })).rejects.toThrow(
      'has every defence, and the server does not',
    )
  })

  it('a lab that is gone while its process lives, with the next moves', async () => {
    const lab = await serve(['redirect-any'])
    await lab.stop()
    const error = await chosen(stolenCode).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({
      message: expect.stringContaining(`no lab of yours answers at ${lab.urls.authorization}`),
      hints: [
        expect.stringContaining(`rm '${home}/lab-${process.pid}.json'`),
        expect.stringContaining('--own-lab'),
      ],
    })
    expect((await chosen(stolenCode, { own: '--own-lab' })).joined).toBeUndefined()
  })

  it('another server at the address: its certificate is not of this user', async () => {
    const lab = await serve(['redirect-any'])
    const other = temporaryFolder()
    const foreign = await startLab({
      config: await loadLabConfig(null),
      home: other.path,
      ports: { authorization: 0 },
    })
    stops.push(foreign.stop, async () => rmSync(other.path, { recursive: true }))
    const urls = { ...lab.urls, authorization: foreign.urls.authorization }
    const weak = ['redirect-any'] as const
    await recordRunningLab(home, { pid: process.pid, startedAt: 1, urls, ca: lab.caFile, config: null, weak })
    await expect(chosen(stolenCode)).rejects.toThrow('no lab of yours answers at')
  })
})

describe('the events of an attack at a running lab', () => {
  let said: AttackRecord[]
  beforeAll(async () => {
    await serve([])
    said = await recordsOf(attackNamed('stolen-code'), [])
    await stopAll()
  }, PATIENCE)

  it('name the run, and the refusal has the words of its event', async () => {
    const { events } = await readEvents(home)
    const run = events.findLast(({ type }) => type === 'request.answered')?.run
    expect(run).toMatch(/^attack [0-9a-f]{8}$/)
    expect(endOf(said)).toMatchObject({ outcome: 'defended', check: 'redirect_uri', rule: 'RFC 9700 §4.1.3' })
  })
})
