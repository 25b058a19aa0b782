/** An agent's session as the machine's insights.py reports it: two turns, a tool that failed, and an interruption. */
export const agentJob = "AJ_abcdefgh1234";

export function agentLines(room: string, begin: number, through = 7): string[] {
  const at = (seconds: number) => `at=${begin + seconds * 1_000}`;
  return [
    `agents\t${through}`,
    `agent\t${through}\t${agentJob}\t${room}\tagent=desk\tsdk=1.8.9\tstarted=${begin}\tended=${begin + 60_000}\treason=CR_PARTICIPANT_DISCONNECTED\terrors-llm=2\taudio=1`,
    "agent-usage\tmodel=m-1\tinput_tokens=124\toutput_tokens=28",
    `agent-entry\t${at(2)}\tby=user\tstt=200`,
    `agent-entry\t${at(3)}\tby=agent\treply=850\tllm=420\tspeech=4000`,
    `agent-entry\t${at(10)}\tby=tool\tname=find_booking\ttook=1250\tfailed=1`,
    `agent-entry\t${at(12)}\tby=agent\treply=1300\tllm=700\tcut=1`,
  ];
}
