import { makeSafe } from '../../../protocol/safe-output/safe.js'
import type { BreachStudy, WeighedGuesses } from '../../../servers/compression/studies/breach.js'
import { bytesText } from '../text/numbers.js'
import { signsFor } from '../text/signs.js'
import { bar, pad, shorten } from '../text/text.js'

const BAR = 30

/** The guesses as bars, the right one first, and what an observer learns from their lengths. */
export function breachLines(
  { url, coding, fixed, masked }: BreachStudy,
  drawing: { readonly ascii: boolean },
): string[] {
  const signs = signsFor(drawing)
  const largest = Math.max(...[...fixed.guesses, ...masked.guesses].map(({ bytes }) => bytes))
  const least = Math.min(...[...fixed.guesses, ...masked.guesses].map(({ bytes }) => bytes)) - 10
  const rows = ({ guesses }: WeighedGuesses) =>
    guesses.map(({ guess, right, bytes }) =>
      [
        `  ${pad(right ? 'the value' : 'wrong', 10)}${pad(shorten(makeSafe(guess), signs.ellipsis), 11)}`,
        `${pad(bytesText(bytes), 9, 'right')}  ${bar((bytes - least) / (largest - least), BAR, drawing)}`,
      ].join(''),
    )
  const verdict = ({ gap, givesAway }: WeighedGuesses) =>
    givesAway
      ? `  ${signs.refused} the right guess is ${gap} bytes shorter than any other: its length reveals it`
      : `  ${signs.done} the right guess does not stand out`
  return [
    `The login page of ${makeSafe(new URL(url).origin)} in ${coding}, with a guess of its csrf`,
    'value echoed in it, as by a page that repeats a parameter. The lab’s own does not.',
    `(bars begin at ${bytesText(least)})`,
    '',
    'If the csrf value stayed the same on every page',
    ...rows(fixed),
    verdict(fixed),
    '',
    masked.givesAway
      ? 'As this lab makes it: on each page of a browser without a mask'
      : 'As the lab makes it, masked again each time (the value is that of another page)',
    ...rows(masked),
    verdict(masked),
  ]
}
