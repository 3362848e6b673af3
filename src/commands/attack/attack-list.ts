import { attacks } from '../../judge/attacks/attacks.js'
import { defined } from '../../protocol/values.js'
import { attackListLines } from '../../show/render/attack/attack-lines.js'
import { spokenAttack } from '../../show/render/attack/spoken-attack.js'
import { print, printJson, terminalColumns } from '../output/output.js'
import { terminalMode } from '../output/output-mode.js'
import { speakItems } from '../output/spoken.js'
import { EXIT } from '../program/exit.js'
import type { Globals } from '../program/globals.js'
import { watchSignals } from '../program/signals.js'

/** Widest text, and the width without a terminal, in columns. */
const WIDTH = 80

/** Flags of `attack list`. */
export interface AttackListFlags {
  readonly plain?: true
  readonly screenReader?: true
}

/** `oauth-lab attack list`. Returns the exit code. */
export async function listAttacks(
  { plain, screenReader }: AttackListFlags,
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
