"""Which browser on which system, from what a browser says about itself, so that people recognise their devices."""

# The first match counts: Edge and Opera name Chrome too, Chrome names Safari, an iPhone names Mac OS.
_BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
    ("curl/", "curl"),
)
_SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("CrOS", "ChromeOS"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
)


def device_name(agent: str) -> str:
    """`Firefox on Linux`; browsers can claim to be anything, so this identifies nobody."""
    browser = next((name for sign, name in _BROWSERS if sign in agent), "A browser")
    system = next((name for sign, name in _SYSTEMS if sign in agent), "")
    return f"{browser} on {system}" if system else f"{browser} on an unknown system"
