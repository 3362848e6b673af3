import type { NewFact } from '../../protocol/room/facts.js'

/** A fact as a line for people: when, what, where, and what it says. All of its members are in it. */
export function factLine({ at, fact, lesson, task, rule, answer }: NewFact): string {
  const place = [lesson, task].filter(each => each !== undefined).join('/')
  const says = [place, rule, answer].filter(each => each !== undefined && each !== '').join('  ')
  return `  ${at.slice(0, 10)} ${at.slice(11, 19)}  ${fact.padEnd(19)}  ${says}`.trimEnd()
}
