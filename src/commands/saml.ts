import { Command, Option } from 'commander'
import { parseInstant } from '../lab/clock.js'
import { withGlobals } from './program/globals.js'
import { lazilyExiting } from './program/lazily.js'

const examples = `
Examples:
  oauth-lab saml decode response.txt
  pbpaste | oauth-lab saml decode -
  oauth-lab saml decode response.txt --metadata idp.xml --audience https://app.example/saml --recipient https://app.example/acs
  oauth-lab saml decode response.txt --json | jq .message.assertions

FILE holds XML, the value of SAMLResponse or SAMLRequest, the body of a form, or a URL.

Exit codes:
  0  the message can be read; with --cert or --metadata: it is accepted
  1  the message is refused
  2  the text is no SAML message, or an option is wrong
`

/** `oauth-lab saml`: SAML messages taken apart. */
export function samlCommand(): Command {
  return new Command('saml')
    .description('decode a SAML message, and verify its signatures')
    .addHelpText('after', examples)
    .addCommand(
      withGlobals(new Command('decode'))
        .description('print a response, an assertion or a request with its meaning, and remarks')
        .argument('[file]', 'the message; - or nothing reads stdin')
        .option('--cert <file>', 'verify the signatures with this certificate or public key, PEM')
        .option('--metadata <file>', 'verify them with the keys in the metadata of the identity provider')
        .option('--audience <name>', 'the service provider that reads it')
        .option('--recipient <url>', 'the address that received it')
        .option('--in-response-to <id>', 'the request that it has to answer')
        .addOption(
          new Option(
            '--now <time>',
            'judge the times at this moment: an ISO date, or seconds since 1970',
          ).argParser(parseInstant),
        )
        .addHelpText('after', examples)
        .action(lazilyExiting(async () => (await import('./jose/saml-decode.js')).decodeSamlMessage)),
    )
}
