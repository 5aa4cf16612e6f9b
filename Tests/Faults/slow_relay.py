# SPDX-License-Identifier: MIT
"""A relay that gives on all bytes of its connections a fixed time after it has read them, in both directions.

Usage: slow_relay.py PORT TARGET SECONDS
PORT and TARGET are ports of this machine.
"""

import asyncio
import sys


async def give_on(reader, writer, delay):
    """Gives on what one side sends, and the end of it."""
    clock, pieces = asyncio.get_running_loop(), asyncio.Queue()

    async def read():
        piece = b"?"
        while piece:
            try:
                piece = await reader.read(65_536)
            except OSError:
                # A connection that is reset ends on the other side, too.
                piece = b""
            pieces.put_nowait((clock.time() + delay, piece))

    reading = asyncio.create_task(read())
    try:
        piece = b"?"
        while piece:
            due, piece = await pieces.get()
            await asyncio.sleep(due - clock.time())
            writer.write(piece)
            await writer.drain()
        await reading
    except OSError:
        pass
    finally:
        reading.cancel()
        writer.close()


async def main(port, target, delay):
    async def serve(reader, writer):
        try:
            back, out = await asyncio.open_connection("127.0.0.1", target)
        except OSError:
            writer.close()
            return
        await asyncio.gather(give_on(reader, out, delay), give_on(back, writer, delay))

    server = await asyncio.start_server(serve, "127.0.0.1", port)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])))
