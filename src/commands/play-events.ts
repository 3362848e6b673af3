import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { UsageError } from '../errors.js'
import type { LabEvent } from '../events/event.js'
import { labConfigured } from '../lab/lab-configured.js'
import { readRecords } from '../lab/running.js'
import { type BrokenLines, brokenText, createEventReader } from '../recording/event-feed.js'
import { openKeyboard, openSource } from '../recording/source.js'
import { formatEvent } from '../render/event-line.js'
import { jsonLine } from '../render/json-line.js'
import type { Feed } from '../tui/serve/header.js'
import type { FeedListener } from '../tui/serve/run.js'
import { dashboardOffers } from './dashboard-offers.js'
import { EXIT } from './exit.js'
import { lineWriter } from './flow-output.js'
import type { Globals } from './globals.js'
import { narrate, print } from './output.js'
import { terminalMode } from './output-mode.js'
import type { PlayFlags } from './play-flags.js'
import { watchSignals } from './signals.js'

/** The event `lab.configured` of a lab that still runs on this machine, from its record. */
async function configuredAs({ pid }: LabEvent, home: string): Promise<LabEvent | undefined> {
  const record = (await readRecords(home)).find(each => each.pid === pid)
  if (record === undefined) return undefined
  const { loadLabConfig } = await import('../lab/config.js')
  const config = await loadLabConfig(record.config)
  const { stage = config.stage, profile = config.profile } = record
  const configured = await labConfigured({ ...config, stage, profile }, home)
  return { ...configured, at: new Date(record.startedAt).toISOString() }
}

/** Hands the events of a source to the dashboard, until the source ends. */
function follow(
  source: Readable,
  command: string,
  { event, changed }: FeedListener,
  home: string,
): () => void {
  let feed: Feed = { command, live: source === process.stdin }
  const change = (more: Partial<Feed>): void => {
    feed = { ...feed, ...more }
    changed(feed)
  }
  const reader = createEventReader({
    event(read) {
      event(read)
      if (read.type !== 'lab.ready') return
      configuredAs(read, home).then(
        configured => configured && event(configured),
        () => {},
      )
    },
    broken: broken => change({ broken: brokenText(broken) }),
  })
  const end = (): void => {
    reader.end()
    change({ live: false })
  }
  source.on('data', reader.add).once('end', end)
  source.once('error', end)
  return () => {
    source.off('data', reader.add).off('end', end)
    source.on('error', () => {})
    source.destroy()
  }
}

/** The clock of the lab that is watched: the time of its latest event, and on from there while the lab is live. */
function clockOf(listener: FeedListener): { listener: FeedListener; now: () => number } {
  let [shown, since, live] = [Date.now(), Date.now(), false]
  return {
    now: () => (live ? shown + Date.now() - since : shown),
    listener: {
      event(event) {
        const at = Date.parse(event.at)
        if (!Number.isNaN(at)) [shown, since] = [at, Date.now()]
        listener.event(event)
      },
      changed(feed) {
        live = feed.live
        listener.changed(feed)
      },
    },
  }
}

async function watch(file: string, keyboard: NodeJS.ReadStream, globals: Globals): Promise<number> {
  const { runDashboard } = await import('../tui/serve/run.js')
  const command = `play ${file}`
  const live = file === '-'
  let now: () => number = Date.now
  const { signal, requests } = await runDashboard({
    feed: { command, live },
    stdin: keyboard,
    listen(listener) {
      const clock = clockOf(listener)
      now = clock.now
      clock.listener.changed({ command, live })
      return follow(openSource(file), command, clock.listener, globals.home)
    },
    offers: dashboardOffers(globals.home, {
      why: 'this dashboard only watches; oauth-lab keys rotate does it',
    }),
    now: () => now(),
    ascii: globals.ascii,
  })
  if (keyboard !== process.stdin) keyboard.destroy()
  if (signal !== 'SIGHUP') print(`${command}: ${requests} request${requests === 1 ? '' : 's'}`)
  return signal === undefined ? EXIT.done : Number(process.exitCode)
}

/** An event as it was read. The first line of a server has no time. */
function jsonOf({ at, ...event }: LabEvent): string {
  const { type, ...members } = event
  return jsonLine({ type, ...(at !== '' && { at }), ...members })
}

/** Prints events line by line, as `serve` did, until there are no more. */
async function printEvents(file: string, flags: PlayFlags, { json, ascii }: Globals): Promise<number> {
  const write = lineWriter(flags.output)
  const { signal, exitCode } = watchSignals()
  let broken: BrokenLines | undefined
  const reader = createEventReader({
    event: event => write(json ? jsonOf(event) : formatEvent(event, { ascii })),
    broken: found => {
      broken = found
    },
  })
  const source = openSource(file).on('data', reader.add)
  await once(source, 'end', { signal }).catch((error: Error) => {
    if (!signal.aborted) throw new UsageError(`cannot read the recording ${file}: ${error.message}`)
    source.destroy()
  })
  reader.end()
  if (broken !== undefined)
    narrate(`oauth-lab: ${file === '-' ? 'stdin' : file}: ${brokenText(broken)}, left out`)
  return exitCode() ?? EXIT.done
}

/**
 * `oauth-lab play` for the events of a lab: the dashboard as `serve` shows it, or one line an event.
 * @returns the exit code
 */
export async function playEvents(file: string, flags: PlayFlags, globals: Globals): Promise<number> {
  if (flags.export !== undefined) {
    throw new UsageError(`--export is for recorded flows, and ${file} holds the events of a lab`, [
      'Open it and press x:  oauth-lab play FILE',
    ])
  }
  const mode = terminalMode(
    {
      json: globals.json,
      plain: flags.plain === true || flags.screenReader === true,
      ...(flags.output !== undefined && { output: flags.output }),
    },
    // A pipe brings events; keys come from the terminal.
    file === '-',
  )
  const keyboard = mode === 'tui' ? openKeyboard() : undefined
  return keyboard ? watch(file, keyboard, globals) : printEvents(file, flags, globals)
}
