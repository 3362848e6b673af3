import { Argument, Command, InvalidArgumentError, Option } from 'commander'
import { UsageError } from '../../protocol/errors.js'
import type { OptionRow, Typed } from '../../session/options/option.js'
import { EVERYWHERE } from './global-options.js'
import { type Globals, readGlobals } from './globals.js'
import { wordHints } from './other-words.js'

/** A word that a command takes: `<file>`, `[file]`, `[file...]`. `typed` is there for types alone. */
export interface ArgumentRow<Value = unknown> {
  readonly shape: string
  readonly meaning: string
  readonly choices?: readonly string[]
  readonly parse?: (text: string) => unknown
  readonly fallback?: string
  readonly typed?: Value
}

type Parts = Pick<ArgumentRow, 'choices' | 'parse' | 'fallback'>
type ValueOf<Shape extends string, Given> = Given extends { parse: (text: string) => infer Value }
  ? Value
  : Given extends { choices: readonly (infer Choice)[] }
    ? Choice
    : Shape extends `${string}...${string}`
      ? readonly string[]
      : Shape extends `<${string}`
        ? string
        : Given extends { fallback: string }
          ? string
          : string | undefined

/** Makes a row for a word that a command takes. */
export function argument<const Shape extends string, const Given extends Parts = object>(
  shape: Shape,
  meaning = '',
  parts?: Given,
): ArgumentRow<ValueOf<Shape, Given>> {
  return { shape, meaning, ...parts }
}

type Words<Rows> = {
  -readonly [Place in keyof Rows]: Rows[Place] extends ArgumentRow<infer Value> ? Value : never
}

/** A command as a row of a table: all that the parser, the help, the completion and the documents know about it. */
export interface CommandRow {
  readonly name: string
  readonly description: string
  readonly alias?: string
  readonly words?: readonly ArgumentRow[]
  readonly options?: readonly OptionRow[]
  /** The options that people use, ten at most, where there are more: `client` for `--client`. */
  readonly often?: readonly string[]
  /** The text of the help below the options. */
  readonly help: string
  /** Loads the action. It gets the words, the options, and the options of every command; it may return the exit code. */
  readonly run?: () => Promise<(...given: never) => unknown>
  readonly kind?: CommandKind
  readonly below?: readonly CommandRow[]
}

/**
 * The ways of commands that differ from the others. `heir`: takes the options of the command above it too. `parent`: options after
 * the name of a command below it are that command’s own. `alone`: without one of its commands it does work, and knows no other word.
 * `bare`: gets the program in place of the options of every command, which it does not read.
 */
type CommandKind = 'heir' | 'parent' | 'alone' | 'bare'

interface Spec<Arguments extends readonly ArgumentRow[], Options extends readonly OptionRow[], Kind>
  extends Omit<CommandRow, 'name' | 'run'> {
  readonly words?: Arguments
  readonly options?: Options
  readonly kind?: Kind & CommandKind
  readonly run?: () => Promise<
    (...given: [...Words<Arguments>, Typed<Options>, Kind extends 'bare' ? Command : Globals]) => unknown
  >
}

/** Makes a row of a table of commands. The types of what its action gets come from its words and its options. */
export function command<
  const Arguments extends readonly ArgumentRow[] = [],
  const Options extends readonly OptionRow[] = [],
  const Kind extends CommandKind | undefined = undefined,
>(name: string, spec: Spec<Arguments, Options, Kind>): CommandRow {
  return { name, ...spec }
}

/** Help below the options: examples without the program's name, then the exit codes when they are given. */
export function examples(lines: readonly string[], exitCodes?: string): string {
  const list = lines.map(line => `  ${line}\n`).join('')
  return `\nExamples:\n${list}${exitCodes === undefined ? '' : `\nExit codes: ${exitCodes}\n`}`
}

function parserOption(row: OptionRow): Option {
  const { flags, meaning, group, choices, parse, expected, fallback, shown, required, conflicts, env } = row
  const option = new Option(flags, meaning)
  if (group !== undefined) option.helpGroup(group)
  if (choices) option.choices(choices)
  if (parse) {
    option.argParser((text, before) => {
      const value = parse(text, before as never)
      if (value === undefined) throw new InvalidArgumentError(expected ?? '')
      return value
    })
  }
  if (fallback !== undefined) option.default(fallback, shown)
  if (required) option.makeOptionMandatory()
  if (conflicts) option.conflicts([...conflicts])
  if (env !== undefined) option.env(env)
  return option
}

function parserArgument({ shape, meaning, choices, parse, fallback }: ArgumentRow): Argument {
  const argument = new Argument(shape, meaning)
  if (choices) argument.choices(choices)
  if (parse) argument.argParser(parse)
  if (fallback !== undefined) argument.default(fallback)
  return argument
}

/** @throws UsageError for a word that is not one of the commands */
function checkWord(here: Command): void {
  const [word] = here.args
  if (word === undefined) return
  throw new UsageError(`unknown command '${word}'`, [
    ...wordHints(word, here),
    `See:  oauth-lab ${here.name()} --help`,
  ])
}

/** Most options in the help of a command. */
const MOST = 10

/** The options that the help of a command shows: its own, without the heading of others, ten at most. */
function oftenUsed(parser: Command, { options = [], often }: CommandRow): readonly Option[] {
  const own = options.filter(({ group }) => group !== EVERYWHERE)
  const plain = own.length > MOST ? own.filter(({ group }) => group === undefined).slice(0, MOST) : own
  const longs = often?.map(name => `--${name}`) ?? plain.map(({ flags }) => longOf(flags))
  return longs.flatMap(long => parser.options.find(each => each.long === long) ?? [])
}

const longOf = (flags: string) => /--[\w-]+/.exec(flags)?.[0] ?? flags

/** The text below the options with its first two examples alone. */
function firstExamples(help: string): string {
  return help.replace(/(\nExamples?:\n)((?: .*\n?)+)/, (_, heading: string, lines: string) => {
    const ends = [...lines.matchAll(/[^\\]\n/g)].map(({ index }) => index + 2)
    return heading + lines.slice(0, ends[1])
  })
}

function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name()
}

/** Makes the help of a command show what people use. Its last line names the way to the rest. */
function withShortHelp(parser: Command, row: CommandRow): void {
  parser.addHelpText('after', ({ command }) => {
    const text = firstExamples(row.help).trimEnd()
    return `${text}\n\nAll options and examples:  ${pathOf(command)} --help --all\n`
  })
  parser.configureHelp({
    visibleOptions: () => [...oftenUsed(parser, row)],
    groupItems: (_, visible) => {
      const heading = visible[0] instanceof Command ? 'Commands:' : 'Options:'
      return new Map(visible.length === 0 ? [] : [[heading, visible]])
    },
  })
}

/**
 * Makes the parser of a command and of those below it.
 * @param all true for the help with every option and example
 */
export function parserOf(row: CommandRow, all = true): Command {
  const { name, description, alias, words = [], options = [], help, run, kind, below = [] } = row
  const parser = new Command(name).description(description)
  if (all) parser.addHelpText('after', help)
  else withShortHelp(parser, row)
  if (alias !== undefined) parser.alias(alias)
  for (const each of words) parser.addArgument(parserArgument(each))
  for (const each of options) parser.addOption(parserOption(each))
  for (const each of below) parser.addCommand(parserOf(each, all))
  if (kind === 'parent') parser.enablePositionalOptions()
  if (kind === 'alone') parser.allowExcessArguments()
  if (run) {
    parser.action(async (...given: unknown[]) => {
      const here = given.at(-1) as Command
      if (kind === 'alone') checkWord(here)
      const everywhere = kind === 'bare' ? here.parent : readGlobals(here)
      const typed = kind === 'heir' ? here.optsWithGlobals() : given.at(-2)
      const code = await (await run())(...([...given.slice(0, -2), typed, everywhere] as never))
      if (typeof code === 'number') process.exitCode = code
    })
  }
  return parser
}
