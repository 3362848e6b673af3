import { isIP } from 'node:net'
import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os'
import { UsageError, UserError } from '../../protocol/errors.js'
import { narrate, prompt, worded } from '../output/output.js'

/** An address of this computer, and the name of its network interface. */
interface OwnAddress {
  readonly address: string
  readonly name: string
}

/** The addresses by which other computers may reach this one, IPv4 first. Those of one cable alone (link-local) are left out. */
export function ownAddresses(
  interfaces: NodeJS.Dict<readonly NetworkInterfaceInfo[]> = networkInterfaces(),
): readonly OwnAddress[] {
  const all = Object.entries(interfaces).flatMap(([name, infos = []]) =>
    infos
      .filter(({ internal, address }) => !internal && !/^(?:fe[89ab]|169\.254\.)/i.test(address))
      .map(({ address }) => ({ address, name })),
  )
  return all.sort((a, b) => isIP(a.address) - isIP(b.address))
}

const listed = (all: readonly OwnAddress[]): readonly string[] =>
  all.map(({ address, name }, i) => `  ${i + 1}  ${address}  (${name})`)

/** Asks on the terminal. @throws UserError at Ctrl-C and Ctrl-D */
async function askWhich(all: readonly OwnAddress[]): Promise<string> {
  narrate('By which address do the others reach this computer?')
  for (const each of listed(all)) narrate(each)
  const { createInterface } = await import('node:readline')
  const asking = createInterface({
    input: process.stdin,
    output: process.stderr,
    prompt: worded(`1 to ${all.length}: `),
  })
  asking.prompt()
  try {
    // Ctrl-C and Ctrl-D end the lines.
    for await (const line of asking) {
      const answer = line.trim()
      const chosen = all[Number(answer) - 1] ?? all.find(({ address }) => address === answer)
      if (chosen !== undefined) return chosen.address
      asking.prompt()
    }
  } finally {
    asking.close()
  }
  prompt('\n')
  throw new UserError('no address was chosen', 'interrupted')
}

/**
 * Returns the address that participants type.
 * @param wanted the one of `--address`
 * @param mayAsk true on a terminal
 * @throws UsageError where it has to be named
 */
export async function chooseAddress(
  wanted: string | undefined,
  mayAsk: boolean,
  all: readonly OwnAddress[] = ownAddresses(),
): Promise<string> {
  if (wanted !== undefined) {
    const address = wanted.replace(/^\[(.*)\]$/, '$1')
    if (isIP(address) > 0 && address !== '0.0.0.0' && address !== '::') return address
    throw new UsageError(`--address ${JSON.stringify(wanted)} is not an address of this computer`, [
      'Such as:  --address 192.0.2.7',
      ...(all.length === 0 ? [] : ['This computer has:', ...listed(all)]),
    ])
  }
  const [first, ...others] = all
  if (first === undefined) {
    throw new UsageError('this computer is in no network, so nobody can join', [
      'Connect it, or try it on this computer alone:  oauth-lab workshop --address 127.0.0.1',
    ])
  }
  if (others.length === 0) return first.address
  if (mayAsk) return askWhich(all)
  throw new UsageError('this computer has several addresses: name the one by which the others reach it', [
    ...listed(all),
    `Such as:  oauth-lab workshop --address ${first.address}`,
  ])
}
