import type { Pace } from './messages.js'

/** A reason for which somebody needs the teacher, as `Stuck` of the board has it. */
type Reason = { readonly why: 'said' | 'hints' | 'slow' } | { readonly why: 'refused'; readonly rule: string }

/** Returns the reason for which somebody needs the teacher as a text. */
export function stuckText(stuck: Reason): string {
  if (stuck.why === 'refused') return `refused three times by ${stuck.rule}`
  return {
    said: 'asks for help',
    hints: 'took the last hint, or the solution',
    slow: 'needs twice as long as most',
  }[stuck.why]
}

/** Returns the pace of a room as a text. */
export function paceText(pace: Pace): string {
  if (pace.kind === 'free') return 'each at their own pace'
  if (pace.kind === 'until') return `goes on at ${pace.at.slice(11, 16)} UTC`
  return pace.share === 1 ? 'goes on together' : `goes on once ${Math.round(pace.share * 100)} % are done`
}

/** Returns the action that "next" means as a text. */
export function nextText(
  action: { readonly do: string; readonly task?: string; readonly lesson?: string },
  lessons: readonly { readonly name: string; readonly title: string }[],
): string {
  const { task, lesson } = action
  if (task !== undefined) return `people go on after ${task.slice(task.indexOf('/') + 1)}`
  return `lesson ${lesson?.slice(0, 2)} ${lessons.find(({ name }) => name === lesson)?.title ?? ''}`.trimEnd()
}
