// The browser of a program that opens one: logs alice in at the address, and follows the redirect to the program.
// node opener.js URL
import { logIn } from '../../programs/clients/log-in.js'

const answer = await fetch(await logIn(new URL(process.argv[2] ?? '')))
if (!answer.ok) throw new Error(`the program answered ${answer.status}: ${await answer.text()}`)
