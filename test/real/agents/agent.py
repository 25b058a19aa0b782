# An agent of Python's SDK with a made-up model: two questions and a tool that fails. agent.py PORT start
import asyncio
import logging
import os
import sys

from livekit.agents import (
    Agent,
    AgentSession,
    APIConnectOptions,
    JobContext,
    RoomInputOptions,
    RoomOutputOptions,
    WorkerOptions,
    cli,
    function_tool,
    llm,
)

CANARY = os.environ["CANARY"]
PORT = int(sys.argv.pop(1))


class Answer(llm.LLMStream):
    async def _run(self):
        await asyncio.sleep(0.03)
        last = [item for item in self._chat_ctx.items if item.type in ("message", "function_call_output")][-1]
        if last.type == "message" and "tool" in (last.text_content or ""):
            call = llm.FunctionToolCall(name="find_booking", arguments=f'{{"name":"{CANARY}"}}', call_id="call-1")
            self.say(tool_calls=[call])
        else:
            self.say(content=f"{CANARY} answer")
        usage = llm.CompletionUsage(completion_tokens=7, prompt_tokens=31, total_tokens=38)
        self._event_ch.send_nowait(llm.ChatChunk(id="chunk", usage=usage))

    def say(self, **delta):
        self._event_ch.send_nowait(llm.ChatChunk(id="chunk", delta=llm.ChoiceDelta(role="assistant", **delta)))


class Model(llm.LLM):
    @property
    def model(self):
        return "made-up-1"

    def chat(self, *, chat_ctx, tools=None, conn_options=APIConnectOptions(), **_):
        return Answer(self, chat_ctx=chat_ctx, tools=tools or [], conn_options=conn_options)


class Desk(Agent):
    def __init__(self):
        super().__init__(instructions=f"{CANARY} instructions")

    @function_tool
    async def find_booking(self, name: str) -> str:
        "Finds a booking."
        await asyncio.sleep(0.05)
        raise ValueError(f"{CANARY} exception of {name}")


async def entrypoint(job: JobContext):
    await job.connect()
    session = AgentSession(llm=Model())
    await session.start(
        agent=Desk(),
        room=job.room,
        room_input_options=RoomInputOptions(audio_enabled=False),
        room_output_options=RoomOutputOptions(audio_enabled=False),
    )
    logging.getLogger("app").warning("%s a line of the agent's own log", CANARY)
    for question in ("question one", "question two", "tool"):
        await session.generate_reply(user_input=f"{CANARY} {question}")
    await session.aclose()
    job.shutdown("done")


if __name__ == "__main__":
    cli.run_app(
        WorkerOptions(
            entrypoint_fnc=entrypoint,
            initialize_process_timeout=300,
            num_idle_processes=1,
            load_fnc=lambda *_: 0.0,
            port=PORT,
        )
    )
