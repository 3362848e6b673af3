// @fastify/compress as it comes, before kb times 1,024 letters a. node fastify-compress.js PEM
import { readFileSync } from 'node:fs'
import compress from '@fastify/compress'
import Fastify from 'fastify'
import { portOf } from '../../bench/port.js'

const pem = readFileSync(process.argv[2])
const fastify = Fastify({ https: { cert: pem, key: pem } })
await fastify.register(compress)
fastify.get(
  '/kb/:kb',
  (/** @type {import('fastify').FastifyRequest<{ Params: { kb: string } }>} */ request, reply) => {
    reply.type('text/plain; charset=utf-8').send('a'.repeat(Number(request.params.kb) * 1024))
  },
)
await fastify.listen({ host: '127.0.0.1', port: 0 })
console.log(JSON.stringify({ url: `https://localhost:${portOf(fastify.server)}` }))
