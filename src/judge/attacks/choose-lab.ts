import { readFile } from 'node:fs/promises'
import { createTransport } from '../../client/transport.js'
import { get } from '../../flows/walk.js'
import { type LabConfig, loadLabConfig } from '../../lab/lab-file/config.js'
import { findRunningLab, type RunningLab, readRecords } from '../../lab/state/running.js'
import { TransportError, UsageError, UserError } from '../../protocol/errors.js'
import { HIDDEN, type WeakName, weakModes, weakNotice } from '../../protocol/rules/weak-modes.js'
import { secondUser } from '../../session/people/users.js'
import type { JoinedLab } from './attacked-lab.js'
import type { Attack } from './model.js'
import { HONEST_CLIENT } from './moves.js'

/** The lab that a person wants an attack to play at. */
export interface LabWish {
  /** `auto`: modes that open the attack. An empty list: a strict lab. */
  readonly weak: 'auto' | readonly WeakName[]
  /** The state folder. */
  readonly home: string
  /** The address of `--server`: only the lab that is recorded there. */
  readonly server?: string | undefined
  /** The reason to start an own lab in any case, as an option: `--own-lab`. */
  readonly own?: string | undefined
}

/** The chosen lab. */
export interface LabChoice {
  /** The weak modes of the lab. */
  readonly weak: readonly WeakName[]
  /** Left out: the attack starts a lab. */
  readonly joined?: JoinedLab
  /** The way to the other kind of lab, for the line that reports this one. */
  readonly other: string
  /** The reason why a running lab is not used, as a line. */
  readonly unused?: string
}

/** The stage that attacks are made for. */
const STAGE = 'published-keys'

const modesOf = ({ weak = [] }: RunningLab): readonly WeakName[] => weakModes(weak).map(({ name }) => name)

/** The reason why the weak modes of a lab are not those of a wish; undefined when they are. */
function otherModes(lab: RunningLab, { opened, weak: all }: Attack, wanted: LabWish['weak']) {
  const modes = modesOf(lab)
  if (lab.weak?.includes(HIDDEN)) return 'its weak modes are hidden'
  if (wanted.length === 0) return modes.length === 0 ? undefined : `it is weak (${modes.join(', ')})`
  if (modes.length === 0) return 'it has every defence'
  if (wanted !== 'auto') {
    const missing = wanted.filter(name => !modes.includes(name))
    return missing.length === 0 ? undefined : `it is not weak by ${missing.join(', ')}`
  }
  const opens = modes.some(name => opened[name]?.stolen) || all.every(name => modes.includes(name))
  return opens ? undefined : `its weak modes do not open this attack (${modes.join(', ')})`
}

/** The reason why the sites and the settings of a lab do not fit an attack; undefined when they do. */
function otherSites({ urls, profile, stage, weak }: RunningLab, attack: Attack, config: LabConfig) {
  if (urls.resource === undefined) return 'it has no resource server'
  if (attack.demoClient && urls.client === undefined) return 'its demo client is closed (--client-port 8448)'
  if ((profile ?? config.profile) !== 'standard') return 'its profile is not standard'
  if ((stage ?? config.stage) !== STAGE) return `its stage is not ${STAGE}`
  const compresses = config.compression || weak?.includes('no-mask')
  return attack.compression && !compresses ? 'it does not compress' : undefined
}

/** The reason why the people and the clients of a lab file do not fit an attack; undefined when they do. */
function otherPeople({ running }: Attack, { clients, users, given }: LabConfig): string | undefined {
  if ('never' in running) return running.never
  const { needs = [], standIn } = running
  const names = [HONEST_CLIENT, ...needs, ...(standIn === undefined ? [] : [standIn])]
  const missing = names.find(name => !clients.findLast(({ client_id: id }) => id === name)?.enabled)
  if (missing !== undefined) return `its lab file has no client ${missing}`
  const [victim] = users
  if (victim?.password === undefined || secondUser(victim.username, users) === undefined)
    return 'its lab file has no two users with passwords'
  const issued = running.ownIssuer && given.includes('assertion_issuers')
  return issued ? 'its lab file names other assertion issuers' : undefined
}

/** A running lab, and whether it fits. */
interface Candidate extends JoinedLab {
  /** Left out: it fits. */
  readonly why?: string | undefined
}

async function candidateOf(record: RunningLab, attack: Attack, { home, weak }: LabWish): Promise<Candidate> {
  try {
    const config = await loadLabConfig(record.config)
    const why =
      otherModes(record, attack, weak) ?? otherSites(record, attack, config) ?? otherPeople(attack, config)
    return { record, config, home, why }
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return { record, config: await loadLabConfig(null), home, why: 'its lab file cannot be read' }
  }
}

/** The command that starts a lab for an attack. */
function serveCommand({ weak: all, demoClient }: Attack, weak: LabWish['weak']): string {
  const modes = weak === 'auto' ? all : weak
  const client = demoClient && modes.length === 0 ? ' --client-port 8448' : ''
  return `oauth-lab serve${modes.length === 0 ? '' : ` --weak ${modes.join(',')}`}${client}`
}

const fileOf = ({ pid }: RunningLab): string => `lab-${pid}.json`

/**
 * Checks that a lab of this user answers at the address of a record, and is what the record says: strict, or weak in
 * exactly these ways. Every lab says so at its address.
 * @throws TransportError for a record whose lab is gone, or another one
 */
async function confirm({ record, home }: JoinedLab): Promise<void> {
  const address = record.urls.authorization
  const hints = [
    `Remove the record where no such lab runs:   rm '${home}/${fileOf(record)}'`,
    'At a lab of the attack:   --own-lab',
  ]
  if ((await findRunningLab(home, ({ pid }) => pid === record.pid)) === undefined) {
    const text = `no lab of yours answers at ${address}, as its record ${fileOf(record)} says`
    throw new TransportError(text, 'ERR_STALE_RECORD', hints)
  }
  const transport = createTransport({ caPem: await readFile(record.ca, 'utf8'), env: {} })
  try {
    const { response } = await transport.send(get(`${address}/`))
    const notice = weakNotice(record.weak ?? [])
    const expected = `${notice === undefined ? '' : `${notice}\n`}Hello from the oauth-lab authorization server.`
    if (response?.status === 200 && response.body.trim() === expected) return
    const claimed = notice === undefined ? 'has every defence' : `is weak (${record.weak?.join(', ')})`
    const text = `the record ${fileOf(record)} says that ${address} ${claimed}, and the server does not say so`
    throw new TransportError(text, 'ERR_OTHER_LAB', hints)
  } finally {
    transport.close()
  }
}

/** @throws UsageError for an address without a record, and for a lab that does not fit */
function named(
  candidates: readonly Candidate[],
  server: string,
  attack: Attack,
  { weak }: LabWish,
): Candidate {
  if ('never' in attack.running) {
    throw new UsageError(`${attack.name} cannot use a running lab: ${attack.running.never}`, [
      'Leave --server out: the attack starts a lab of its own',
    ])
  }
  const found = candidates.find(({ record }) => record.urls.authorization === server)
  const start = `Start a lab that fits:   ${serveCommand(attack, weak)}`
  if (found === undefined) {
    throw new UsageError(`no lab of yours runs at ${server}, and an attack runs at no other address`, [
      start,
      'Leave --server out: the attack starts a lab of its own',
    ])
  }
  if (found.why === undefined) return found
  throw new UsageError(`${attack.name} cannot use the lab ${server}: ${found.why}`, [start])
}

/** The line about a running lab that is passed over. */
function unusedLine([first]: readonly Candidate[], attack: Attack): string | undefined {
  if (first?.why === undefined) return undefined
  const strict = (first.record.weak ?? []).length === 0 && !('never' in attack.running)
  const there = strict ? `. At that lab:   oauth-lab attack run ${attack.name} --strict` : ''
  return `Your lab ${first.record.urls.authorization} runs too, and is not used: ${first.why}${there}`
}

/**
 * Chooses the lab of an attack: a running lab of this user whose record fits, else an own one. An address is only ever
 * used to choose among the records.
 * @throws UsageError for a named lab that is not there or does not fit; TransportError for a record that is not true
 */
export async function chooseLab(attack: Attack, wish: LabWish): Promise<LabChoice> {
  const { home, server, own } = wish
  const candidates = await Promise.all((await readRecords(home)).map(each => candidateOf(each, attack, wish)))
  const fitting =
    server === undefined
      ? candidates.filter(({ why }) => why === undefined)
      : [named(candidates, server, attack, wish)]
  if (own === undefined) {
    let stale: unknown
    for (const { why: _, ...joined } of fitting) {
      try {
        await confirm(joined)
        return { weak: modesOf(joined.record), joined, other: 'at a lab of its own: --own-lab' }
      } catch (error) {
        if (!(error instanceof UserError)) throw error
        stale ??= error
      }
    }
    if (stale !== undefined) throw stale
  }
  const weak = wish.weak === 'auto' ? attack.weak : wish.weak
  if (own !== undefined) return { weak, other: `at a running lab: without ${own}` }
  if ('never' in attack.running)
    return { weak, other: `it cannot use a running lab: ${attack.running.never}` }
  const unused = unusedLine(candidates, attack)
  const other = `at a running lab: ${serveCommand(attack, wish.weak)}`
  return unused === undefined ? { weak, other } : { weak, other, unused }
}
