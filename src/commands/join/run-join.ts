import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eventMark } from '../../lab/state/event-file.js'
import { changeProgress, type Progress } from '../../learn/engine/progress.js'
import { learnedOf } from '../../learn/engine/room-facts.js'
import { wrap } from '../../learn/engine/texts.js'
import { attemptsOf } from '../../learn/engine/trial.js'
import type { Lesson } from '../../learn/model.js'
import { lessonsIn } from '../../learn/teacher/lessons-in.js'
import { UsageError, UserError } from '../../protocol/errors.js'
import type { NewFact } from '../../protocol/room/facts.js'
import type { LabDocument } from '../../protocol/room/lab-document.js'
import { MAX_NAME, type RoomFile } from '../../protocol/room/messages.js'
import { makeSafe } from '../../protocol/safe-output/safe.js'
import { type JoinedRoom, joinRoom } from '../../session/room/join.js'
import { allFacts, changeOutbox } from '../../session/room/outbox.js'
import { readRoom, roomLessons, writeRoom } from '../../session/room/profile.js'
import { fetchLabDocument } from '../../session/room/room-lab.js'
import { print, printJson, worded } from '../output/output.js'
import { EXIT } from '../program/exit.js'
import type { Globals } from '../program/globals.js'

interface JoinFlags {
  readonly as?: string
  readonly show?: true
  readonly learner?: string
}

/** Asks for a name on the terminal. Without one the workshop gives a number; the name that the system knows is not taken. */
async function askName(): Promise<string | undefined> {
  if (process.stdin.isTTY !== true || process.stderr.isTTY !== true) return undefined
  const { createInterface } = await import('node:readline/promises')
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const closed = new Promise<string>(resolve => terminal.once('close', () => resolve('')))
    const asked = terminal.question(
      worded('Your name on the teacher’s board (Enter: a number in its place)  '),
    )
    return (await Promise.race([asked, closed])).trim().slice(0, MAX_NAME) || undefined
  } finally {
    terminal.close()
  }
}

/** Writes the lessons of a teacher beside the old ones, reads them by the schema, and puts them in their place. @throws UserError for broken ones */
async function keepLessons(folder: string, files: readonly RoomFile[]): Promise<readonly Lesson[]> {
  if (files.length === 0) return lessonsIn(undefined)
  const draft = `${folder}.new`
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft, { recursive: true, mode: 0o700 })
  try {
    for (const { name, text } of files) await writeFile(join(draft, name), text, { mode: 0o600, flag: 'wx' })
    await lessonsIn(draft)
    await rm(folder, { recursive: true, force: true })
    await rename(draft, folder)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    if (!(error instanceof UsageError)) throw error
    throw new UserError(`the lessons of the teacher are broken: ${error.message}`, 'refused', [
      'Nothing was joined. Ask the teacher, who finds out with:  oauth-lab learn test DIR',
    ])
  }
  return lessonsIn(folder)
}

/** A lesson that is not of the room does not go on; its progress stays. The lesson that goes on is reported from its beginning, and nothing before it. */
async function beginReporting(
  home: string,
  learner: string | undefined,
  { lessons, folder, again }: { lessons: readonly Lesson[]; folder: string | undefined; again: boolean },
): Promise<void> {
  const progress = await changeProgress(home, learner, old => {
    const { current, ...rest } = old
    const goesOn = current?.folder === folder && lessons.some(({ name }) => name === current?.lesson)
    return goesOn ? old : rest
  })
  if (again) return
  const mark = await eventMark(home)
  const reported = learnedOf({ lessons: withoutPresent(progress) })
  await changeOutbox(home, learner, () => ({ next: 1, waiting: [], reported, mark }))
}

function withoutPresent({ current, lessons }: Progress): Progress['lessons'] {
  const others = Object.entries(lessons).filter(([name, { doneAt }]) => name !== current?.lesson || doneAt)
  return Object.fromEntries(others)
}

/** Most lines of the teacher’s lessons that are shown. */
const MOST_LINES = 12

/** The lines for a shell in the lessons of the teacher. */
function shellLines(lessons: readonly Lesson[]): readonly string[] {
  const own = lessons.filter(({ builtIn }) => !builtIn)
  const lines = own.flatMap(lesson => [
    ...attemptsOf(lesson).flatMap(each => each.lines),
    ...(lesson.weak ? [lesson.weak.line] : []),
  ])
  return [...new Set(lines)]
}

function aboutLessons(lessons: readonly Lesson[]): string[] {
  const lines = shellLines(lessons)
  if (lines.length === 0) return []
  const more = lines.length - MOST_LINES
  return [
    ...wrap(
      `The teacher hands out ${lessons.length} ${lessons.length === 1 ? 'lesson' : 'lessons'}. No line in them runs unless you type it. The lines for a shell:`,
    ),
    ...lines.slice(0, MOST_LINES).map(line => `    ${makeSafe(line)}`),
    ...(more > 0 ? [`    and ${more} more:  oauth-lab learn show NAME --source`] : []),
    '',
  ]
}

/** The lab of the room, and the accounts there. Their secrets are not shown: each command asks the teacher's program for them. */
const named = ({ urls, client, user }: LabDocument) => ({
  server: urls.authorization,
  client: client.client_id,
  user: user.username,
})

function labLines(lab: LabDocument): string[] {
  const { server, client, user } = named(lab)
  return [
    ...wrap(
      `The room has a lab together, at ${server}. Your client there is ${client}, your user is ${user}; their secrets need no typing.`,
    ),
    'Use it:          oauth-lab flow code --server room',
  ]
}

/** The first words of somebody who has joined: where they are, and what is sent. */
function joinedLines(
  { profile, again }: JoinedRoom,
  lessons: readonly Lesson[],
  lab: LabDocument | undefined,
): string[] {
  const { name, who, room, address, phase } = profile
  const named = name === who ? who : `${name} (${who})`
  return [
    `You are ${again ? 'again ' : ''}${named} in the room ${room}, at ${address}.`,
    '',
    ...aboutLessons(lessons),
    ...wrap(
      'From now on learn, attack and flow send what you do in the lessons: lesson opened, task shown, task done, hint or solution taken, answer of a prediction, refused with its error code and rule, idle, stuck; and when.',
    ),
    'Never: tokens, passwords, files, addresses, command lines, or what you type.',
    '',
    ...(phase.lesson === undefined ? [] : [`The room is at lesson ${phase.lesson}.`]),
    ...(lab === undefined ? [] : [...labLines(lab), '']),
    'Begin:           oauth-lab learn',
    'Each sent fact:  oauth-lab join --show',
    'End it:          oauth-lab leave',
  ]
}

/** `oauth-lab join ADDRESS CODE`, and `join --show`. @returns the exit code */
export async function runJoin(
  address: string | undefined,
  words: readonly string[],
  { as, show, learner }: JoinFlags,
  { home, json }: Globals,
): Promise<number> {
  if (show) return runShow(learner, { home, json })
  const code = words.join('')
  if (address === undefined || code === '') {
    const room = await readRoom(home, learner)
    throw new UsageError('join takes the address and the code of a workshop', [
      'Type the line of the teacher’s screen, such as:  oauth-lab join 192.0.2.7:8448 K7QM-3D9X-…',
      ...(room === undefined
        ? []
        : [`You are ${room.name} in the room ${room.room}. See what is sent:  oauth-lab join --show`]),
    ])
  }
  if (as !== undefined && [...as].length > MAX_NAME)
    throw new UsageError(`a name on the board has at most ${MAX_NAME} characters`, [
      'Give a shorter one:  --as NAME',
    ])
  const before = await readRoom(home, learner)
  const name = as ?? before?.name ?? (json ? undefined : await askName())
  const joined = await joinRoom(home, learner, { address, code, name })
  const { profile, files, again } = joined
  const folder = files.length > 0 ? roomLessons(home, learner) : undefined
  const lessons = await keepLessons(roomLessons(home, learner), files)
  await beginReporting(home, learner, { lessons, folder, again })
  await writeRoom(home, learner, profile)
  // A room whose lab does not answer now is joined all the same.
  const lab = await fetchLabDocument(profile).catch(() => undefined)
  if (json) {
    const { who, name, room, address, course, phase } = profile
    const names = lessons.map(each => each.name)
    printJson({
      who,
      name,
      room,
      address,
      course,
      lessons: names,
      lesson: phase.lesson,
      lab: lab && named(lab),
    })
  } else print(...joinedLines(joined, lessons, lab))
  return EXIT.done
}

/** A fact as a line for people: when, what, where, and what it says. All of its members are in it. */
function factLine({ at, fact, lesson, task, rule, answer }: NewFact): string {
  const place = [lesson, task].filter(each => each !== undefined).join('/')
  const says = [place, rule, answer].filter(each => each !== undefined && each !== '').join('  ')
  return `  ${at.slice(0, 10)} ${at.slice(11, 19)}  ${fact.padEnd(19)}  ${says}`.trimEnd()
}

/** `oauth-lab join --show`. */
async function runShow(
  learner: string | undefined,
  { home, json }: Pick<Globals, 'home' | 'json'>,
): Promise<number> {
  const room = await readRoom(home, learner)
  const { sent, waiting } = await allFacts(home, learner)
  if (json) {
    for (const fact of sent) printJson({ type: 'fact', ...fact, sent: true })
    for (const fact of waiting) printJson({ type: 'fact', ...fact, sent: false })
    return EXIT.done
  }
  if (sent.length > 0) print('Sent', ...sent.map(factLine))
  if (waiting.length > 0) print('Waits until the teacher can be reached', ...waiting.map(factLine))
  if (sent.length + waiting.length === 0) print('Nothing was sent.')
  print(
    '',
    room === undefined
      ? 'You are in no room: nothing is sent.'
      : `You are ${room.name} in the room ${room.room}, at ${room.address}. End it:  oauth-lab leave`,
  )
  return EXIT.done
}
