import { writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  completionScript,
  type ShellName,
  type WordList,
  wordLists,
} from '../../../../src/commands/completion/scripts.js'
import { wholeProgram } from '../../../../src/commands/program/program.js'
import { cleanEnv, run, runProgram } from '../../../support/program.js'
import { describeWith, findProgram } from '../../../support/requires.js'
import { sharedFolder } from '../../../support/shared.js'

const place = sharedFolder()

let lists: readonly WordList[]
let made: Readonly<Record<ShellName, string>>
beforeAll(async () => {
  const names = {
    client: ['demo', 'demo-spa'],
    user: ['alice'],
    move: ['wrong-state'],
    weak: ['redirect-any'],
    lesson: ['04-state'],
    tool: ['curl'],
  }
  lists = wordLists(await wholeProgram(), names)
  const script = (name: ShellName) => completionScript(name, lists)
  made = {
    bash: await script('bash'),
    zsh: await script('zsh'),
    fish: await script('fish'),
    powershell: await script('powershell'),
  }
  writeFileSync(join(place.path, 'lab file.yaml'), '')
})

const wordsAt = (where: string) => lists.find(each => each.place === where)?.words.map(each => each.word)

describe('the words of the program', () => {
  it('are its commands, options, choices, and names of the lab', () => {
    expect(wordsAt('/commands')).toEqual(expect.arrayContaining(['flow', 'serve', 'k8s', 'ca', 'completion']))
    expect(wordsAt('/options')).toEqual(expect.arrayContaining(['--json', '--config', '--help']))
    expect(wordsAt('k8s/commands')).toEqual(expect.arrayContaining(['token', 'review', 'mount']))
    expect(wordsAt('flow code/--client')).toEqual(['demo', 'demo-spa'])
    expect(wordsAt('flow code/--export')).toEqual(['har', 'curl', 'mermaid', 'markdown', 'html'])
    expect(wordsAt('completion/arguments')).toEqual(['bash', 'zsh', 'fish', 'powershell'])
    expect(wordsAt('flow code/valued')).not.toContain('--no-pkce')
    expect(lists.find(each => each.place === '/--config')?.files).toBe(true)
  })

  it('are of one line, each place once, also for a shell that knows no case', () => {
    const places = lists.map(each => each.place.toLowerCase())
    expect(new Set(places).size).toBe(places.length)
    const words = lists.flatMap(each => each.words)
    expect(words.filter(({ word }) => !/^[\w.:+/-]+$/.test(word))).toEqual([])
    expect(words.filter(({ summary }) => /[\n\t]/.test(summary))).toEqual([])
  })
})

/** What is typed, the word that is to be completed last; and what every shell offers. */
const typed: ReadonlyArray<readonly [string, readonly string[], readonly string[]]> = [
  ['', ['flow', 'serve', 'completion'], ['code', '--json']],
  ['fl', ['flow'], ['serve']],
  ['flow ', ['code', 'client-credentials'], ['serve', '--client']],
  ['flow code --cl', ['--client', '--client-id'], ['--config', 'code']],
  ['flow code --js', ['--json'], ['--client']],
  ['flow code --client ', ['demo', 'demo-spa'], ['--client', 'code']],
  ['flow code --client demo --export m', ['mermaid', 'markdown'], ['har']],
  ['--json flow code --user a', ['alice'], ['assertion']],
  ['--config x.yaml serve --st', ['--stage'], ['--scope']],
  ['serve --stage pub', ['published-keys'], ['login-only']],
  ['completion f', ['fish'], ['bash']],
  ['k8s accounts ', ['list', 'create', 'delete'], ['token']],
  ['--config lab', ['lab file.yaml'], ['flow']],
]

type Complete = (line: string) => Promise<string[]>

function itCompletes(complete: Complete): void {
  it.each(typed)('oauth-lab %s', async (line, offered, not) => {
    const found = await complete(line)
    expect(found).toEqual(expect.arrayContaining([...offered]))
    expect(found.filter(word => not.includes(word))).toEqual([])
  })
}

/** A shell that every system has a package of. */
function describeShell(program: string, complete: (path: string) => Complete): void {
  describeWith([program], program, () => itCompletes(line => complete(findProgram(program) ?? '')(line)))
}

const scripts = sharedFolder()
let runs = 0

/** Runs a script of a shell and gives its lines back. */
async function linesOf(shell: string, script: string, args: readonly string[]): Promise<string[]> {
  // A file, because an argument holds no more than 128 KiB on Linux.
  const file = join(scripts.path, `${basename(shell)}-${runs++}.ps1`)
  writeFileSync(file, script)
  const { code, stdout, stderr } = await run(shell, [...args, file], {
    env: cleanEnv(place.path),
    cwd: place.path,
  })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout.split('\n').filter(line => line !== '')
}

const words = (line: string) => `oauth-lab ${line}`.split(' ')

describeShell('bash', bash => line => {
  const all = words(line)
  const script = `${made.bash}
COMP_WORDS=(${all.map(word => `'${word}'`).join(' ')}) COMP_CWORD=${all.length - 1}
_oauth_lab
printf '%s\\n' "\${COMPREPLY[@]}"`
  return linesOf(bash, script, ['--norc'])
})

// What draws the list is replaced: it needs a terminal.
describeShell('zsh', zsh => async line => {
  const all = words(line)
  const last = all.at(-1) ?? ''
  const script = `compdef() { : }
_describe() { print -l -- \${\${(P)4}%%:*} }
_files() { print -l -- *(N) }
${made.zsh}
words=(${all.map(word => `'${word}'`).join(' ')}) CURRENT=${all.length}
_oauth_lab`
  const found = await linesOf(zsh, script, ['-f'])
  return found.filter(word => word.startsWith(last))
})

describeShell('fish', fish => async line => {
  const script = `${made.fish}\ncomplete -C 'oauth-lab ${line}'`
  const found = await linesOf(fish, script, ['--no-config'])
  return found.map(each => each.split('\t')[0] ?? '')
})

const pwsh = findProgram('pwsh')
const inPowerShell: Complete = line => {
  const text = `oauth-lab ${line}`
  const script = `${made.powershell}
(TabExpansion2 -inputScript '${text}' -cursorColumn ${text.length}).CompletionMatches | ForEach-Object { $_.CompletionText.Trim("'& .\\/".ToCharArray()) }`
  return linesOf(pwsh ?? '', script, ['-NoProfile', '-NonInteractive', '-File'])
}

// No package of Debian has it.
describe.skipIf(pwsh === undefined)(`pwsh${pwsh ? '' : ' (skipped: it is not installed)'}`, () =>
  itCompletes(inPowerShell),
)

describe('a line with =', () => {
  it.skipIf(findProgram('bash') === undefined)('is completed by bash, which splits it', async () => {
    const script = `${made.bash}
COMP_WORDS=(oauth-lab flow code --client = demo-) COMP_CWORD=5
_oauth_lab
printf '%s\\n' "\${COMPREPLY[@]}"`
    expect(await linesOf(findProgram('bash') ?? '', script, ['--norc'])).toEqual(['demo-spa'])
  })
})

describe('oauth-lab completion', () => {
  it('prints a script with the names of the built-in lab, and refuses other shells', async () => {
    const env = cleanEnv(place.path)
    const { code, stdout } = await runProgram(['completion', 'bash'], { env })
    expect(code).toBe(0)
    expect(stdout).toContain('demo-native')
    expect(stdout).toContain('complete -F _oauth_lab oauth-lab')
    const wrong = await runProgram(['completion', 'tcsh'], { env })
    expect(wrong).toMatchObject({ code: 2, stdout: '' })
    expect(wrong.stderr).toContain('bash, zsh, fish, powershell')
  })
})
