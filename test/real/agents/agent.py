# An agent of Python's SDK with a made-up model and voice: two questions, a tool that fails, an answer that is interrupted,
# and another question. agent.py start, with $AGENT_PORT. A room's name says what is different in it: "long" has 60
# questions, "killed" does not end and writes its process and job into the file $KILLED_JOB.
import asyncio
import logging
import math
import os
import struct
import time

from livekit import rtc
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
from livekit.agents.voice import io

CANARY = os.environ["CANARY"]
RATE = 48_000


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


class Microphone(io.AudioInput):
    "Nobody speaks into it."

    def __init__(self):
        super().__init__(label="microphone")

    async def __anext__(self):
        await asyncio.Event().wait()


class Speaker(io.AudioOutput):
    "Plays to nobody, for as long as the sound takes."

    def __init__(self):
        super().__init__(label="speaker", capabilities=io.AudioOutputCapabilities(pause=False))
        self.plays = asyncio.Event()
        self.length, self.playing = 0.0, None

    async def capture_frame(self, frame):
        await super().capture_frame(frame)
        if not self.length:
            self.on_playback_started(created_at=time.time())
        self.length += frame.duration

    def flush(self):
        super().flush()
        if self.length:
            length, self.length = self.length, 0.0
            self.playing = asyncio.get_running_loop().call_later(length, self.end, length, False)
            # What is to be interrupted is long.
            if length > 1:
                asyncio.get_running_loop().call_later(0.2, self.plays.set)

    def clear_buffer(self):
        if self.playing:
            self.end(0.2, True)

    def end(self, position, is_interrupted):
        self.playing.cancel()
        self.playing = None
        self.on_playback_finished(playback_position=position, interrupted=is_interrupted)


def tone(seconds):
    samples = int(RATE * seconds)
    wave = (int(12_000 * math.sin(2 * math.pi * 440 * at / RATE)) for at in range(samples))
    return rtc.AudioFrame(struct.pack(f"<{samples}h", *wave), RATE, 1, samples)


class Desk(Agent):
    def __init__(self, seconds):
        super().__init__(instructions=f"{CANARY} instructions")
        self.tone = tone(seconds)

    async def tts_node(self, text, model_settings):
        async for _ in text:
            pass
        yield self.tone

    @function_tool
    async def find_booking(self, name: str) -> str:
        "Finds a booking."
        await asyncio.sleep(0.05)
        raise ValueError(f"{CANARY} exception of {name}")


async def entrypoint(job: JobContext):
    await job.connect()
    kind = job.job.room.name.split()[-1]
    speaker = Speaker()
    session = AgentSession(llm=Model(), vad=None, turn_detection="manual")
    session.input.audio, session.output.audio = Microphone(), speaker
    desk = Desk(0.05 if kind == "long" else 0.5)
    await session.start(
        agent=desk,
        room=job.room,
        room_input_options=RoomInputOptions(audio_enabled=False),
        # In step with its sound nothing of a text would have been said when it is interrupted.
        room_output_options=RoomOutputOptions(audio_enabled=False, transcription_enabled=False),
    )
    log = logging.getLogger("app")
    log.warning("%s a line of the agent's own log", CANARY, extra={"caller": CANARY})
    questions = [f"question {number + 1}" for number in range(60)] if kind == "long" else ["question one", "question two", "tool"]
    for question in questions:
        await session.generate_reply(user_input=f"{CANARY} {question}")
    if kind == "killed":
        with open(os.environ["KILLED_JOB"], "w") as file:
            file.write(f"{os.getpid()} {job.job.id}\n")
        await asyncio.Event().wait()
    desk.tone = tone(20)
    reply = session.generate_reply(user_input=f"{CANARY} interrupted")
    await speaker.plays.wait()
    await session.interrupt()
    await reply
    desk.tone = tone(0.05)
    await session.generate_reply(user_input=f"{CANARY} question three")
    try:
        raise ValueError(f"{CANARY} exception of the job")
    except ValueError:
        log.exception("%s failed", CANARY)
    await session.aclose()
    job.shutdown("done")


if __name__ == "__main__":
    cli.run_app(
        WorkerOptions(
            entrypoint_fnc=entrypoint,
            initialize_process_timeout=300,
            num_idle_processes=1,
            load_fnc=lambda *_: 0.0,
            port=int(os.environ["AGENT_PORT"]),
        )
    )
