import { type Command, Option } from 'commander'
import { OUTPUT_MEANING } from '../flow/bare-token-option.js'
import { EXPORT_FORMATS } from '../flow/export-formats.js'

/** Adds the options that say who drives the browser of a flow. */
export function withBrowser(command: Command): Command {
  return command
    .option('--browser', 'log in with your own browser', false)
    .option('--no-open', 'print the address for the browser without opening it')
    .addOption(
      new Option('--headless', 'fill in the login form without a browser (default)').conflicts('browser'),
    )
}

/** Adds the options that say how a flow is shown. */
export function withOutput(command: Command): Command {
  return command
    .option('--plain', 'print one line for each step, to the end')
    .option('--screen-reader', 'print sentences; Enter sends the next step, r repeats, d reads details')
    .addOption(
      new Option('--export <format>', 'write the run in another form, its steps to stderr').choices(
        EXPORT_FORMATS,
      ),
    )
    .option('-o, --output <file>', OUTPUT_MEANING)
}
