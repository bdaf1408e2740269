""".NET: the SDK that `dotnet` chooses in this folder. Packages stand in the lock file."""

from proctor.capture.base import Ecosystem, Probe

ECOSYSTEM = Ecosystem(
    order=8,
    markers=("*.csproj", "*.fsproj", "*.vbproj", "*.sln", "*.slnx", "global.json"),
    locks=("packages.lock.json",),
    probes=(
        Probe(
            ("dotnet", "--info"),
            dotnet=r"^\s*Version:\s*(\d\S*)",
            dotnet_platform=r"^\s*RID:\s*(\S+)",
        ),
    ),
)
