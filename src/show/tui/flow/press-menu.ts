import { UserError } from '../../../protocol/errors.js'
import type { KeyPress } from '../screen/keys.js'
import { pressInMenu } from '../screen/press.js'
import { breakAlways } from './breakpoints.js'
import { aheadText, type Choice, keptName, menuOf } from './menus.js'
import type { PressPorts } from './press-ports.js'
import type { FlowState } from './state.js'

/** Carries out a key press while a menu is open. */
export function pressInFlowMenu(
  press: KeyPress,
  { name, at }: NonNullable<FlowState['menu']>,
  ports: PressPorts,
): void {
  const { store, context, quit, suspend } = ports
  const { offers, now } = context()
  const menu = menuOf(name, store.get(), offers, now)
  const go = (to: number) => store.dispatch({ type: 'menuMove', by: to - at, count: menu.items.length })
  const close = () => store.dispatch({ type: 'menu' })
  const choose = (chosen: number): void => {
    const item = menu.items[chosen]
    if (item === undefined) return
    if (item.off !== undefined) {
      go(chosen)
      store.dispatch({ type: 'message', text: item.off, good: false })
    } else {
      close()
      carryOut(item.choice, ports)
    }
  }
  pressInMenu(press.name, { menu, at, go, choose, close, quit, suspend })
}

function carryOut(choice: Choice, ports: PressPorts): void {
  const { store, runner } = ports
  switch (choice.do) {
    case 'keep':
      void keep(choice, ports)
      break
    case 'editNext':
      store.dispatch({ type: 'breaks', breaks: 'once' })
      runner.advance()
      break
    case 'breakAlways':
      breakAlways(ports)
      break
    case 'clock':
      moveClock(choice.ms, ports)
      break
    case 'honest':
      runner.honest()
      break
    case 'move':
      beginMove(choice.name, ports)
      break
  }
}

/** Shows an error that the person can act on; any other error ends the screen. */
function reportOrFail(error: unknown, { store, fail }: PressPorts): void {
  if (error instanceof UserError) store.dispatch({ type: 'message', text: error.message, good: false })
  else fail(error)
}

async function keep({ format }: Choice & { do: 'keep' }, ports: PressPorts): Promise<void> {
  const { store, context } = ports
  const { offers, now } = context()
  const { steps, selected, outcome, showSecrets } = store.get()
  const step = steps[Math.min(selected, steps.length - 1)]
  if ('why' in offers.keep || step === undefined) return
  const records = outcome ? [...steps, outcome] : steps
  try {
    const file = await offers.keep.offer(keptName(format, now), format, { records, step, showSecrets })
    const hidden = showSecrets ? '' : ', secrets hidden'
    store.dispatch({ type: 'message', text: `wrote ${file}${hidden}`, good: true })
  } catch (error) {
    reportOrFail(error, ports)
  }
}

function moveClock(ms: number, { store, context }: PressPorts): void {
  const { clock } = context().offers
  if ('why' in clock) return
  clock.offer.advance(ms)
  const ahead = clock.offer.ahead()
  store.dispatch({ type: 'clock', ahead })
  store.dispatch({ type: 'message', text: `the lab's clock is ${aheadText(ahead)} ahead now`, good: true })
}

function beginMove(name: string, ports: PressPorts): void {
  const { tamper } = ports.context().offers
  if ('why' in tamper) return
  const move = tamper.offer.moves.find(each => each.name === name)
  if (move === undefined) return
  try {
    ports.runner.restart({ ...tamper.offer.begin(name), move: name, until: move.at })
  } catch (error) {
    reportOrFail(error, ports)
  }
}
