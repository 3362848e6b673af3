import type { AttackName } from '../judge/attacks/names.js'
import { all, answered, seen } from './engine/vocabulary.js'
import type { Check, Task } from './model.js'

/** The attack succeeds at a lab without the defence of the lesson, and fails at a strict one. */
export function attackTask(attack: AttackName, say: string): Task {
  const weak = `oauth-lab attack run ${attack}`
  const strict = `${weak} --strict`
  const ended = (outcome: 'stolen' | 'defended', why: string): Check =>
    seen({ event: 'attack.ended', where: { attack, outcome }, anyone: true, why })
  const missing = {
    stolen: `The attack has not succeeded yet. Type it without --strict: that lab is weak on purpose.`,
    defended: 'The attack succeeded. Now let it meet a lab with every defence: --strict, or d on its screen.',
  }
  return {
    name: 'attack',
    say: [
      say,
      `  ${weak}`,
      `  ${strict}`,
      'On its screen, Enter takes a step, and d switches the defence on.',
    ],
    check: all(ended('stolen', missing.stolen), ended('defended', missing.defended)),
    mistakes: [
      {
        event: 'attack.ended',
        where: { attack: { not: attack } },
        anyone: true,
        why: `That was another attack. This task is about ${attack}.`,
        again: `Another attack again. Its name in this task is ${attack}.`,
      },
    ],
    hints: {
      question: 'Which defence must be off for the attack to succeed, and on for it to fail?',
      place: 'The last lines of both runs: “stolen” and “missing”, then “defended” and its rule.',
      line: strict,
    },
    solutions: { cli: [weak, strict], curl: [] },
    nearMisses: [
      { name: 'the weak lab alone', lines: [weak], why: missing.defended },
      { name: 'the strict lab alone', lines: [strict], why: missing.stolen },
    ],
  }
}

/** Two logs of one attack: a lab stopped it, another one did not. */
export interface TwoLogs {
  /** In the order of their letters: A, B. Lines have 70 characters at most. */
  readonly logs: readonly [readonly string[], readonly string[]]
  readonly defended: 'A' | 'B'
  /** Lines that show the defence, from 1. */
  readonly lines: readonly number[]
  /** Said after a line of the log without defence. */
  readonly fooled: string
  /** A question that leads to the line. */
  readonly question: string
}

const spelt = (name: string): string[] => [name, `line ${name}`, `${name[0]} ${name.slice(1)}`]

/** Finding out, by two logs, which lab was defended. */
export function logTask({ logs, defended, lines, fooled, question }: TwoLogs): Task {
  const other = defended === 'A' ? 'B' : 'A'
  const names = (letter: 'A' | 'B') => logs[letter === 'A' ? 0 : 1].map((_, i) => `${letter}${i + 1}`)
  const right = lines.map(line => `${defended}${line}`)
  const wrongLines = names(defended).filter(name => !right.includes(name))
  const notThere = 'That is the log of the lab with the defence. Which of its lines shows that?'
  const answer = 'oauth-lab learn check --answer'
  return {
    name: 'two-logs',
    say: [
      'Two labs met this attack. Which one was defended, and which line shows it?',
      ...logs[0].map((line, i) => `A${i + 1} ${line}`),
      '',
      ...logs[1].map((line, i) => `B${i + 1} ${line}`),
      '',
      'Answer with letter and number:',
      `  ${answer} A1`,
    ],
    check: answered({
      right: right.flatMap(spelt),
      why: 'There is no answer yet.',
      otherwise: 'Answer with the name of one line, such as A1.',
      wrong: [
        {
          when: [other, ...names(other)].flatMap(spelt),
          why: fooled,
          again: `Log ${other} again. In which of the two does the attacker go away with nothing?`,
        },
        { when: [defended, ...wrongLines].flatMap(spelt), why: notThere, again: question },
      ],
    }),
    mistakes: [],
    hints: {
      question,
      place: `Log ${defended}, near its end.`,
      line: `${answer} ${right[0]}`,
    },
    solutions: { cli: [`${answer} ${right[0]}`], curl: [] },
    nearMisses: [
      { name: 'the log of the theft', lines: [`${answer} ${names(other).at(-1)}`], why: fooled },
      { name: 'a line that says nothing', lines: [`${answer} ${wrongLines[0]}`], why: notThere },
    ],
  }
}
