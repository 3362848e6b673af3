import { attackNamed, attacks } from '../../judge/attacks/attacks.js'
import { chooseLab, type LabChoice, type LabWish } from '../../judge/attacks/choose-lab.js'
import type { Attack, AttackData, AttackOutcome, AttackRecord } from '../../judge/attacks/model.js'
import type { AttackName } from '../../judge/attacks/names.js'
import { runAttack } from '../../judge/attacks/run.js'
import type { StageOptions, VictimsWindow } from '../../judge/attacks/stage.js'
import { parseWeakNames } from '../../lab/weak/weak-lab.js'
import { UsageError } from '../../protocol/errors.js'
import { defined } from '../../protocol/values.js'
import { programVersion } from '../../protocol/version.js'
import { openIfWanted, PERSON_PATIENCE } from '../../session/people/people.js'
import {
  ATTACK_ROLES,
  attackIntroduction,
  attackJson,
  attackLines,
  attackListLines,
} from '../../show/render/attack/attack-lines.js'
import { type ExportFormat, exportText } from '../../show/render/exports/export.js'
import type { ExportedOutcome, ExportedRecord } from '../../show/render/exports/export-options.js'
import { details, report } from '../../show/render/spoken/screen-reader.js'
import { type SpokenItem, sentence } from '../../show/render/spoken/spoken-item.js'
import { stepLine } from '../../show/render/steps/plain.js'
import { ROLE_NAMES } from '../../show/render/steps/sequence.js'
import { checkExport, lineWriter } from '../flow/flow-output.js'
import { keepingOutcome } from '../learn/lesson-outcome.js'
import { narrate, print, printJson, terminalColumns } from '../output/output.js'
import { type OutputMode, terminalMode } from '../output/output-mode.js'
import { speakItems } from '../output/spoken.js'
import { EXIT, watchSignals } from '../program/exit.js'
import type { Globals } from '../program/globals.js'

/** An attack in the list, as sentences. @param n number of the attack, from 1 */
function spokenAttack(attack: AttackData, n: number, of: number): SpokenItem {
  const { name, title, rule, weak, steals, starts } = attack
  return {
    say: [`Attack ${n} of ${of}.`, sentence(`${name}: ${title}`), sentence(`It wants: ${steals}`)].join(' '),
    details: [
      sentence(`Rule: ${rule}`),
      ...starts.map(sentence),
      sentence(`Weak modes that open it: ${weak.join(', ')}`),
    ],
  }
}

/** The announcement of an attack, before its first step. */
function spokenStart({ name, title, rule, starts, steals }: AttackData): SpokenItem {
  return {
    say: [
      sentence(`Attack ${name}: ${title}`),
      ...starts.map(sentence),
      sentence(`It wants: ${steals}`),
    ].join(' '),
    details: [sentence(`Rule: ${rule}`)],
  }
}

function spokenEnding(outcome: AttackOutcome, { steals }: Pick<AttackData, 'steals'>): SpokenItem {
  const { check, rule, detail, would_not_help: noHelp } = outcome
  const ending =
    outcome.outcome === 'stolen'
      ? [sentence(`Stolen: ${steals}, ${detail}`), sentence(`The missing check is ${check}`)]
      : outcome.outcome === 'defended'
        ? [sentence(`Defended by the check ${check}: ${detail}`)]
        : [sentence(`Failed: ${detail}`)]
  return {
    say: [...ending, ...(rule === '' ? [] : [sentence(`Rule: ${rule}`)])].join(' '),
    details: noHelp.map(each => sentence(`It would not have helped: ${each}`)),
  }
}

/** A record of an attack as sentences. */
function spokenAttackRecord(record: AttackRecord, attack: Pick<AttackData, 'steals'>): SpokenItem {
  if (record.type === 'outcome') return spokenEnding(record, attack)
  const nameOf = (role: typeof record.from) => ATTACK_ROLES[role] ?? ROLE_NAMES[role]
  const between =
    record.from === record.to
      ? sentence(`The ${nameOf(record.from)} alone`)
      : sentence(`From the ${nameOf(record.from)} to the ${nameOf(record.to)}`)
  return { say: `${between} ${report(record)}`, details: details(record) }
}

/** Flags of `attack run`. */
interface AttackRunFlags {
  readonly weak?: readonly string[]
  readonly strict?: true
  readonly ownLab?: true
  readonly browser?: true
  /** False after `--no-open`. */
  readonly open: boolean
  readonly export?: ExportFormat
  readonly output?: string
  readonly plain?: true
  readonly screenReader?: true
}

/** The person's browser of a run; undefined for a browser without a window. @throws UsageError */
function windowOf({ browser, open }: AttackRunFlags, attack: Attack, { patience }: Globals) {
  if (!browser && open) return undefined
  if (attack.noWindow !== undefined) {
    const others = attacks.filter(each => each.noWindow === undefined).map(each => each.name)
    throw new UsageError(`${attack.name} has no --browser: ${attack.noWindow}`, [
      `These have one:   ${others.join(', ')}`,
    ])
  }
  const window: VictimsWindow = {
    patience: patience ?? PERSON_PATIENCE,
    say: narrate,
    open: url => openIfWanted(url, { open, say: narrate }),
  }
  return window
}

/** Returns the weak modes that the options ask for; empty for a strict lab. @throws UsageError */
function weakModesOf({ weak, strict }: AttackRunFlags): LabWish['weak'] {
  if (strict && weak) throw new UsageError('--strict leaves every defence on, and --weak switches some off')
  if (strict) return []
  return weak === undefined || weak.join() === 'auto' ? 'auto' : parseWeakNames(weak, '--weak')
}

/** Returns the lab that the options ask for. @throws UsageError */
function wishOf(flags: AttackRunFlags, { home, server, serverBy }: Globals): LabWish {
  const weak = weakModesOf(flags)
  const { ownLab, browser, open } = flags
  // The requests of a person's own browser are seen only in a lab of this process.
  const own = ownLab ? '--own-lab' : browser ? '--browser' : open ? undefined : '--no-open'
  // The variable is about every command, and may name a lab of another computer.
  const named = serverBy === '--server' ? server : undefined
  if (named !== undefined && own !== undefined) {
    throw new UsageError(`${own} starts a lab, and --server names a running one`, ['Leave one out'])
  }
  return defined({ weak, home, server: named, own })
}

/** The form of the output. With the person's own browser, a screen has nothing to step through. */
function modeOf(
  { plain, screenReader, browser, open, export: format, output }: AttackRunFlags,
  json: boolean,
) {
  const lines = plain ?? (browser || !open ? true : undefined)
  return terminalMode({ json, ...defined({ plain: lines, screenReader, export: format, output }) })
}

/** The exit code of an outcome: a weak lab is meant to lose the data, and a strict one to keep it. */
function attackExitCode({ outcome, check, weak }: AttackOutcome): number {
  if (outcome === 'failed') return check === 'timeout' ? EXIT.timeout : EXIT.transport
  return (outcome === 'stolen') === weak.length > 0 ? EXIT.done : EXIT.refused
}

/** Shows each record as it comes, and returns the outcome. */
async function show(
  records: AsyncIterable<AttackRecord>,
  write: (record: AttackRecord) => void,
): Promise<AttackOutcome | undefined> {
  let outcome: AttackOutcome | undefined
  for await (const record of records) {
    write(record)
    if (record.type === 'outcome') outcome = record
  }
  return outcome
}

/** The address of a running lab that was chosen, without its scheme. */
const placeOf = ({ joined }: LabChoice): string | undefined =>
  joined && new URL(joined.record.urls.authorization).host

/** Shows the attack on a screen, against a weak lab and a strict one. Returns the exit code of the last run. */
async function showScreen(
  attack: Attack,
  wish: LabWish,
  options: Pick<StageOptions, 'signal' | 'timeoutMs'> & Pick<Globals, 'ascii'>,
): Promise<number> {
  const { runAttackScreen } = await import('../../show/tui/attack/run.js')
  const { ascii, ...stage } = options
  const { server: _, ...anywhere } = wish
  const first = await chooseLab(attack, wish)
  const strict = wish.weak.length === 0
  const second = await chooseLab(attack, { ...anywhere, weak: strict ? 'auto' : [] })
  const [weak, defended] = strict ? [second, first] : [first, second]
  const choices = { weak, strict: defended }
  const outcome = await runAttackScreen({
    attack,
    weak: weak.weak,
    ascii,
    at: defined({ weak: placeOf(weak), strict: placeOf(defended) }),
    side: strict ? 'strict' : 'weak',
    start(side) {
      const at = choices[side]
      return keepingOutcome(runAttack(attack, { ...stage, weak: at.weak, at }), wish.home)
    },
  })
  return Number(process.exitCode ?? (outcome ? attackExitCode(outcome) : EXIT.done))
}

/** `oauth-lab attack run NAME`. Returns the exit code. */
export async function runNamedAttack(
  name: AttackName,
  flags: AttackRunFlags,
  globals: Globals,
): Promise<number> {
  const attack = attackNamed(name)
  const wish = wishOf(flags, globals)
  const { json, showSecrets, ascii, timeoutMs, home } = globals
  checkExport(flags.export, json)
  if (flags.screenReader && flags.output !== undefined) {
    throw new UsageError('--screen-reader reads to the terminal, and --output writes a file', [
      'Leave one out',
    ])
  }
  const window = windowOf(flags, attack, globals)
  const mode = modeOf(flags, json)
  const interruption = watchSignals()
  const { signal, exitCode, ignore } = interruption
  if (mode === 'tui') {
    try {
      return await showScreen(attack, wish, { signal, timeoutMs, ascii })
    } finally {
      ignore()
    }
  }
  const stage = window ? { window, home } : {}
  const at = await chooseLab(attack, wish)
  const run = runAttack(attack, { weak: at.weak, at, signal, timeoutMs, narrate, ...stage })
  const records = keepingOutcome(run, home)
  try {
    const outcome = await showIn(mode, records)
    return exitCode() ?? (outcome ? attackExitCode(outcome) : EXIT.done)
  } finally {
    ignore()
  }

  async function showIn(mode: OutputMode, all: typeof records): Promise<AttackOutcome | undefined> {
    const options = { showSecrets, ascii }
    const output = defined({ output: flags.output })
    if (flags.export !== undefined) {
      return exportAttack(all, { attack, format: flags.export, ...options, ...output })
    }
    if (mode === 'screen-reader') return speak(all)
    const write = lineWriter(flags.output)
    if (mode === 'json') return show(all, record => write(attackJson(record, options)))
    const columns = flags.output === undefined ? terminalColumns() : undefined
    const lines = { ...options, columns }
    attackIntroduction(attack, lines).forEach(write)
    const outcome = await show(all, record => attackLines(record, attack, lines).forEach(write))
    if (outcome?.outcome === 'failed') narrate(`oauth-lab: ${outcome.detail}`)
    return outcome
  }

  async function speak(all: typeof records): Promise<AttackOutcome | undefined> {
    let outcome: AttackOutcome | undefined
    async function* items(): AsyncGenerator<SpokenItem> {
      yield spokenStart(attack)
      for await (const record of all) {
        if (record.type === 'outcome') outcome = record
        yield spokenAttackRecord(record, attack)
      }
    }
    await speakItems(items(), interruption)
    return outcome
  }
}

/** The form and the place of an exported attack. */
interface AttackToExport {
  readonly attack: Attack
  readonly format: ExportFormat
  readonly showSecrets: boolean
  readonly ascii: boolean
  /** The output file; absent: stdout. */
  readonly output?: string
}

/** The end of an attack, with the check that refused or was missing. */
function exportedOutcome(
  { steals }: Attack,
  { outcome, check, rule, detail }: AttackOutcome,
): ExportedOutcome {
  const description = {
    stolen: `${steals}, ${detail}. The check ${check} was missing`,
    defended: detail,
    failed: detail,
  }[outcome]
  const error = { error: check, error_description: description }
  return { type: 'outcome', outcome, error: rule === '' ? error : { ...error, rule } }
}

/**
 * Runs an attack to its end, prints its steps on stderr, and writes it in another form.
 * @returns the outcome; undefined where the attack had no outcome
 */
async function exportAttack(
  records: AsyncIterable<AttackRecord>,
  { attack, format, output, showSecrets, ascii }: AttackToExport,
): Promise<AttackOutcome | undefined> {
  const write = lineWriter(output)
  const all: ExportedRecord[] = []
  let outcome: AttackOutcome | undefined
  for await (const record of records) {
    if (record.type === 'step') {
      all.push(record)
      narrate(stepLine(record, { showSecrets: false, ascii, names: ATTACK_ROLES }))
      continue
    }
    outcome = record
    all.push(exportedOutcome(attack, record))
    for (const line of attackLines(record, attack, { showSecrets: false, ascii })) narrate(line)
  }
  const options = { flow: `attack ${attack.name}`, version: programVersion(), showSecrets }
  write(exportText(format, all, options).trimEnd())
  return outcome
}

/** Widest text, and the width without a terminal, in columns. */
const WIDTH = 80

/** `oauth-lab attack list`. Returns the exit code. */
export async function listAttacks(
  { plain, screenReader }: { readonly plain?: true; readonly screenReader?: true },
  { json, ascii }: Globals,
): Promise<number> {
  if (json) {
    for (const { name, weak, rule, title, steals } of attacks) printJson({ name, weak, rule, title, steals })
    return EXIT.done
  }
  if (terminalMode({ json, ...defined({ plain, screenReader }) }) === 'screen-reader') {
    await speakItems(
      attacks.map((attack, i) => spokenAttack(attack, i + 1, attacks.length)),
      watchSignals(),
    )
    return Number(process.exitCode ?? EXIT.done)
  }
  const columns = Math.min(WIDTH, terminalColumns() ?? WIDTH)
  print(...attackListLines(attacks, { ascii, columns }).slice(0, -1))
  return EXIT.done
}
